import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

const UNITS = 'ein zwei drei vier fünf sechs sieben acht neun'.split(' ');
const TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');
/** "einundachtzig" is one word. */
const COMPOUNDS = new Map(
  TENS.flatMap((ten, tens) =>
    UNITS.map((unit, units): [string, number] => [`${unit}und${ten}`, (tens + 2) * 10 + units + 1]),
  ),
);

export const DE: Lexicon = {
  code: 'de',
  stop: setOf(
    `der die das den dem des ein eine einen einem einer eines und oder aber wenn weil dass daß als von zu zum zur in im an am auf bei mit für aus nach über um ist sind war waren sein bin bist hat habe haben hatte wird werden kann können könnte möchte muss soll nicht kein keine ich mich mir mein meine meinen meinem meiner du dich dir dein deine er sie es ihn ihm ihr ihre ihren ihrem ihrer wir uns unser unsere sich was wer wie wo wann warum welche welcher welches welchen noch nur auch schon sehr so da hier dort man mal denn doch ja jetzt`,
  ),
  idle: setOf(
    `hallo hi guten tag morgen abend servus moin danke dankeschön vielen dank bitte ja nein gut okay ok genau richtig stimmt alles klar super prima perfekt toll wunderbar schön tschüss wiedersehen auf wiederhören äh ähm hm mhm ach so also na moment verstehe verstanden gern gerne freut mich entschuldigung natürlich freundlich hilfe helfen`,
  ),
  smallTalk: words(
    `(?:wie|womit) (?:kann|darf|können) (?:ich|wir)(?: \\p{L}+){0,3} helfen|(?:noch|sonst) (?:etwas|was|irgendetwas)|kann ich (?:ihnen|dir) (?:\\p{L}+ )?helfen|schönen (?:tag|abend)|auf wiederhören|auf wiedersehen|vielen dank für (?:ihren anruf|ihre)|gern geschehen|(?:einen|kleinen) (?:kleinen )?(?:moment|augenblick)|moment mal|eine (?:sekunde|minute)|ich (?:warte|schaue|sehe (?:mal|kurz)|bin (?:noch )?(?:da|dran|hier)|suche (?:mal|kurz)|öffne)|hören sie mich|ich höre sie`,
  ),
  asks: words(
    `(?:nennen|sagen|geben|bestätigen|buchstabieren) sie|(?:ich (?:bräuchte|brauche|benötige)) (?:noch |bitte )?(?:ihre?n?|die|den|das)|wie (?:ist|lautet|heißt)|welche[rsn]?|wie viele?|was ist|bitte bestätigen`,
  ),
  self: words(`ich|mich|mir|mein\\p{L}{0,2}|wir|uns|unser\\p{L}{0,2}`),
  wants: words(
    `ich (?:möchte|will|brauche|bräuchte|wünsche|suche|hätte gern|würde gerne?|rufe an)|wir (?:möchten|wollen|brauchen|suchen)|(?:können|könnten|würden) sie|funktioniert nicht|geht nicht|kaputt|buchen|reservieren|beschwer\\p{L}+|(?:kann|könnte|darf) ich|(?:können|könnten|dürfen) wir|\\p{L}+en sie mich`,
  ),
  prefers: words(
    `(?:mag|liebe|hasse|bevorzuge|vertrage|esse|trinke|meide)|am liebsten|lieblings\\p{L}*|lieber|allerg\\p{L}+|vegetarier(?:in)?|vegan(?:er(?:in)?)?|diabetiker(?:in)?|unverträglichkeit|immer|nie(?:mals)?|meistens`,
  ),
  plans: words(
    `(?:ich|wir) (?:werde|werden|plane|planen|habe vor|fahre|fahren|fliege|fliegen|ziehe|ziehen)|(?:habe|haben) (?:beschlossen|entschieden)`,
  ),
  commits: words(
    `(?:ich|wir) (?:habe|haben)|(?:ist|sind|wurde|wurden) (?:\\p{L}+ ){0,6}\\p{L}*(?:bucht|stellt|tiert|schickt|storniert|eröffnet|geändert|tragen|stätigt|viert|genommen)|(?:wir|ich) (?:werde|werden|rufe|rufen|schicke|schicken|melde|melden|senden?)|sie (?:erhalten|bekommen|werden)|ihre? (?:\\p{L}+ ){1,4}(?:ist|lautet|wird|beträgt|hat)|\\p{L}*(?:vorgangs|schadens|bestell|buchungs|auftrags|referenz)nummer`,
  ),
  instructs: words(
    `\\p{L}+en sie (?:bitte|die|das|den|ihre?n?)|bitte (?!warten|nennen|sagen|geben|bestätigen|buchstabieren)\\p{L}+en sie|bitte (?:\\p{L}+ ){1,4}mit|denken sie daran|vergessen sie|sie (?:können|müssen|sollten)`,
  ),
  addresses: words(`sie|ihnen|ihre?n?|ihrem|ihrer|du|dich|dir|deine?n?`),
  agrees: opening(
    `ja|genau|richtig|stimmt|korrekt|gerne?|okay|ok|einverstanden|passt|in ordnung|alles klar|das ist (?:richtig|gut|korrekt)|klar|perfekt|super|gut|machen wir|am apparat`,
  ),
  denies: opening(`nein|nicht|kein\\p{L}*|nie|nichts`),
  corrects: words(
    `eigentlich|doch nicht|lieber|nicht mehr|vergessen sie|stattdessen|entschuldigung|ich meine|ich meinte|ändern|korrektur|falsch|nein,? (?:es ist|das ist)|neue[nrs]? (?:telefonnummer|nummer|e-?mail|adresse|name)|jetzt|verschoben|verlegt|umgebucht|geändert|umgezogen`,
  ),
  another: words(
    `ander\\p{L}+|auch|außerdem|zweite[nrs]?|weitere[nrs]?|zusätzlich\\p{L}*|büro|dienstlich\\p{L}*|geschäftlich\\p{L}*|notfall\\p{L}*|am wochenende|während|alte[nrs]?|frühere[nrs]?|früher`,
  ),
  ofOther: words(
    `((?:mein|ihr)(?:e[rsmn]?)? (?:frau|mann|partner(?:in)?|sohn(?:es)?|tochter|mutter|vaters?|bruders?|schwester|chef(?:in)?|freund(?:in|es)?|nachbar(?:in)?|kollege|kollegin|onkels?|tante|oma|opas?))|(sein(?:e[rsmn]?)?)`,
  ),
  relativeDay: words(
    `heute|morgen|gestern|vorgestern|übermorgen|(?:diese[nrs]?|nächste[nrsm]?|letzte[nrsm]?|kommende[nrsm]?|vorige[nrsm]?) (?:woche|monat|jahr|wochenende|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|sommer|winter)|(?:am |bis )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|vor (?:\\p{L}+|\\d+) (?:tag|woche|monat|jahr)\\p{L}*|in (?:\\p{L}+|\\d+) (?:tag|woche|monat|jahr)\\p{L}*`,
  ),
  beforeName: words(`ich heiße(?: jetzt| nun)?|mein name ist|ich bin|hier (?:ist|spricht)(?= \\p{Lu})`),
  beforeHome: words(
    `(?:wir wohnen|wohnen wir)(?: jetzt)? in|ich wohne(?: jetzt)? in|ich lebe(?: jetzt)? in|ich bin nach(?= \\p{Lu}\\p{L}+ (?:um)?gezogen)`,
  ),
  numbers: {
    values: new Map([
      ...counted(
        'null eins/ein/eine zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
      ),
      ...counted(TENS.join(' '), 20, 10),
      ...COMPOUNDS,
    ]),
    scales: countsOf('hundert=100 tausend=1000'),
    and: setOf('und'),
    repeat: countsOf('doppel=2 doppelt=2 zweimal=2 dreimal=3 viermal=4'),
    counter: setOf('die'),
    signs: mapOf(`bindestrich=- minus=- strich=- schrägstrich=/ punkt=. at=@ ät=@ unterstrich=_ plus=+ apostroph='`),
    asIn: /^(?:wie)$/i,
  },
};
