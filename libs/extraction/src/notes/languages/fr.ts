import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

export const FR: Lexicon = {
  code: 'fr',
  stop: setOf(
    `le la les l un une des du de d et ou mais si parce que qu comme à au aux en dans avec pour par sur sans chez est sont était être suis es été a ai as ont avait avoir peut peux pouvez pourrais ne pas n ni je j me m mon ma mes moi tu te ton ta tes vous votre vos il elle ils elles on nous notre nos se s son sa ses leur leurs ce cet cette ces c ça qui quoi quel quelle quels quelles quand où pourquoi comment combien y très plus aussi déjà ici là tout toute tous maintenant`,
  ),
  idle: setOf(
    `bonjour bonsoir salut merci beaucoup oui non ouais d'accord ok okay bien sûr parfait super génial exact exactement très au revoir bonne journée soirée s'il vous plaît svp euh hum ah oh voilà alors donc pardon excusez-moi désolé désolée madame monsieur je vois compris entendu volontiers aide`,
  ),
  smallTalk: words(
    `(?:comment|en quoi) (?:puis-je|je peux|pouvons-nous)(?: vous)? (?:aider|être utile)|autre chose|puis-je vous aider|bonne (?:journée|soirée)|au revoir|je vous en prie|merci (?:de votre appel|d['’]avoir appelé)|un (?:instant|moment|petit instant)|une (?:minute|seconde)|attendez|je (?:regarde|vérifie|cherche|patiente|suis (?:là|toujours là))|vous m['’]entendez|ne quittez pas`,
  ),
  asks: words(
    `(?:donnez|dites|indiquez|confirmez|épelez|précisez)(?:-moi|-nous)?|pouvez-vous|pourriez-vous|puis-je avoir|j['’]aurais besoin|quel(?:le)?s?|combien|à quel(?:le)?`,
  ),
  self: words(`je|j|me|m|mon|ma|mes|moi|nous|notre|nos`),
  wants: words(
    `je (?:veux|voudrais|souhaite|cherche|souhaiterais|désire|vous appelle)|j['’](?:aimerais|ai besoin|appelle|ai un problème)|il me faut|(?:pouvez|pourriez)-vous|ne (?:marche|fonctionne) (?:pas|plus)|réserver|nous (?:voulons|voudrions|cherchons)|(?:est-ce que )?(?:je peux|puis-je|on peut|pouvons-nous|pourrais-je)`,
  ),
  prefers: words(
    `j['’](?:aime|adore|évite)|je (?:préfère|déteste|n['’]aime|ne (?:supporte|mange|bois))|allergi\\p{L}+|végétarien(?:ne)?|végan\\p{L}*|diabétique|intoléran\\p{L}+|préféré\\p{L}*|toujours|jamais|plutôt`,
  ),
  plans: words(`je (?:vais|pars|compte|prévois|pense)|nous (?:allons|partons)|j['’]ai (?:décidé|prévu)`),
  commits: words(
    `(?:j['’]ai|nous avons|a été|ont été|est|sont) (?:bien )?\\p{L}+(?:é|ée|és|ées|is|ise|it|ert|erte)|(?:vous (?:recevrez|serez|aurez)|nous vous \\p{L}+|je vous \\p{L}+)|votre (?:\\p{L}+ ){1,4}(?:est|sera|a)|numéro de (?:dossier|réservation|commande|sinistre|référence)`,
  ),
  instructs: words(`(?:veuillez|pensez à|n['’]oubliez pas|apportez|vous (?:devez|pouvez|devrez))`),
  addresses: words(`vous|votre|vos|tu|te|ton|ta|tes|toi`),
  agrees: opening(
    `oui|ouais|d['’]accord|exact|exactement|parfait|très bien|c['’]est (?:ça|bien ça|exact|correct|bon|parfait)|ça me va|bien sûr|ok|okay|tout à fait|volontiers|super|entendu`,
  ),
  denies: opening(`non|pas|aucun\\p{L}*|jamais|rien`),
  corrects: words(
    `en fait|finalement|n['’]\\p{L}+ plus|laissez tomber|plutôt|à la place|pardon|je veux dire|je voulais dire|changer|changez|erreur|nouve(?:au|lle) (?:téléphone|numéro|adresse|mail|e-mail)|maintenant|déplacée?|reportée?|décalée?|changée?|déménagé`,
  ),
  another: words(
    `autre|aussi|également|deuxième|second\\p{L}*|supplémentaire|bureau|professionnel\\p{L}*|urgence|pendant|le week-end|ancien\\p{L}*|avant`,
  ),
  ofOther: words(
    `((?:de )?(?:m(?:on|a)|votre) (?:femme|mari|conjointe?|compagnon|compagne|fils|fille|mère|père|frère|sœur|chef|patronne?|ami\\p{L}*|voisin\\p{L}*|collègue|oncle|tante))`,
  ),
  relativeDay: words(
    `aujourd['’]hui|demain|hier|après-demain|avant-hier|ce (?:soir|matin|week-end|mois)|cette (?:semaine|année|nuit|après-midi)|(?:le |la )?(?:semaine|mois|année|week-end) (?:prochaine?|dernière?|dernier)|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: prochain| dernier)?|il y a|dans (?:\\p{L}+|\\d+) (?:jours?|semaines?|mois|ans?)`,
  ),
  beforeName: words(`je m['’]appelle|mon nom(?: complet)? est|je suis`),
  beforeHome: words(
    `nous habitons(?: maintenant)?(?: à| au)?|j['’]habite(?: maintenant)? à|je vis(?: maintenant)? à|j['’]ai déménagé à`,
  ),
  numbers: {
    values: new Map([
      ...counted('zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize'),
      ...counted('vingt trente quarante cinquante soixante septante huitante/octante nonante', 20, 10),
    ]),
    scales: countsOf('cent=100 cents=100 mille=1000'),
    pairs: new Map([
      ['quatre vingt', 80],
      ['quatre vingts', 80],
      ['dix sept', 17],
      ['dix huit', 18],
      ['dix neuf', 19],
    ]),
    longTens: [60, 80],
    and: setOf('et'),
    repeat: countsOf('double=2 triple=3'),
    signs: mapOf(`tiret=- slash=/ point=. arobase=@ plus=+ apostrophe='`),
    asIn: /^(?:comme)$/i,
  },
};
