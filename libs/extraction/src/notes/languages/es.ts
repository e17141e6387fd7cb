import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

export const ES: Lexicon = {
  code: 'es',
  stop: setOf(
    `el la los las un una unos unas y o pero si porque como de del a al en con por para sin sobre que qué cual cuál quien quién cuando cuándo donde dónde es son era fue ser está estoy están estaba hay ha he han había tengo tiene tener puede puedo podría no ni yo me mi mis mí tú tu te su sus se le lo les nos nuestra nuestro él ella ellos usted ustedes esto esta este ese esa eso muy más también ya solo sólo aquí ahí va voy todo toda algo ahora cuánto cuántos cuántas`,
  ),
  idle: setOf(
    `hola buenas buenos días tardes noches gracias muchas por favor sí si vale bueno claro perfecto genial estupendo exacto correcto de acuerdo ok okay adiós hasta luego pronto eh ehm este pues mmm ah oh nada disculpe perdón perdone momento entiendo entendido encantado igualmente señor señora muy amable ayuda ayudarme bien`,
  ),
  smallTalk: words(
    `(?:en qué|cómo) (?:puedo|podemos|le puedo|te puedo)(?: ayudar(?:le|te)?| servirle)?|algo más|(?:puedo|podemos) ayudar(?:le|te)|(?:buen|feliz) día|que tenga|gracias por (?:llamar|contactar)|hasta luego|adiós|de nada|un (?:momento|segundo|minuto|momentito)|espere?|déjeme (?:ver|mirar|comprobar)|deje que|estoy (?:aquí|esperando|buscando|mirando|abriendo)|me (?:oye|escucha|oyes|escuchas)|no (?:le|te) (?:oigo|escucho)|sigo aquí|ya voy|a ver`,
  ),
  asks: words(
    `me (?:puede|podría|da|dice|indica|facilita|confirma)|(?:dígame|deme|indíqueme|confirme|facilíteme|necesito|deletree) (?:su|el|la|los|las|que|cuál)|cuál|qué|cuántos?|cuántas?|por favor confirme`,
  ),
  self: words(
    `yo|me|mi|mis|mí|conmigo|soy|estoy|tengo|quiero|necesito|vivo|trabajo|nosotros|nos|nuestr[oa]s?|quisiera|prefiero|he|voy|quería`,
  ),
  wants: words(
    `quier[oe]|quisiera|querría|me gustaría|necesito|busco|estoy buscando|deseo|quería|podría|puede|llamo (?:por|para|porque)|tengo (?:un|una) (?:problema|queja|duda)|no funciona|reservar|queremos|necesitamos|\\p{L}*[áéíó]\\p{L}+me|(?:puedo|podemos|podría|podríamos)`,
  ),
  prefers: words(
    `me (?:gusta|gustan|encanta|encantan|molesta|da miedo)|(?:odio|prefiero|detesto|adoro|evito)|no (?:soporto|como|bebo|tomo|me gusta|me gustan)|soy (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|diabétic[oa]|celíac[oa]|intolerante)|alergia|favorit[oa]s?|preferid[oa]s?|siempre|nunca|suelo|preferiría`,
  ),
  plans: words(`voy a|vamos a|pienso|planeo|tengo pensado|iré|iremos|viajo|viajaré|hemos decidido|he decidido`),
  commits: words(
    `(?:he|hemos|ha sido|han sido|queda|quedan|está|están) (?:ya )?\\p{L}+(?:ad[oa]s?|id[oa]s?|ierto|uesto|echo)|(?:le|les|te) (?:llamar|enviar|contactar|devolver|avisar|mandar|reembolsar)\\p{L}+|(?:recibirá|tendrá|será)|su (?:\\p{L}+ ){1,4}(?:es|está|queda|tiene|será)|número de (?:reclamación|caso|referencia|reserva|pedido)|correctamente`,
  ),
  instructs: words(
    `(?:por favor,? )(?!espere|confirme|dígame|deme|indique)\\p{L}+|recuerde|no olvide|debe|traiga|tiene que|puede`,
  ),
  addresses: words(`usted|ustedes|su|sus|le|les|tú|tu|te|ti`),
  agrees: opening(
    `sí|si|claro|correcto|exacto|vale|de acuerdo|perfecto|está bien|muy bien|eso es|así es|me parece bien|por supuesto|ok|okay|confirmo|genial|soy yo|al habla`,
  ),
  denies: opening(`no|nunca|ningun[oa]|tampoco|nada`),
  corrects: words(
    `en realidad|mejor|en vez de|perdón|perdone|quiero decir|quise decir|cámbi\\p{L}+|cambiar|corrijo|ya no|olvíde\\p{L}*|no hace falta|me equivoqué|nuev[oa] (?:teléfono|número|correo|dirección)|ahora es|(?:he|hemos|ha) (?:cambiado|movido|aplazado)|(?:dirección|teléfono|correo) (?:ha cambiado|nuev[oa])`,
  ),
  another: words(
    `otr[oa]s?|también|además|segund[oa]|adicional|alternativ[oa]|oficina|del trabajo|emergencia|durante|los fines de semana|antigu[oa]|anterior|antes`,
  ),
  ofOther: words(
    `((?:de |a )?(?:mi|su) (?:mujer|esposa|marido|esposo|pareja|hij[oa]|madre|padre|herman[oa]|jef[ea]|amig[oa]|novi[oa]|vecin[oa]|abuel[oa]|tí[oa]|prim[oa]))`,
  ),
  relativeDay: words(
    `hoy|mañana|ayer|anoche|anteayer|pasado mañana|(?:esta|este|la próxima|el próximo|próxim[oa]|la semana|el mes|el año) (?:semana|mes|año|noche|tarde|mañana|lunes|martes|miércoles|jueves|viernes|sábado|domingo|pasad[oa]|que viene)|(?:el |los )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)|hace \\p{L}+ (?:días?|semanas?|mes(?:es)?|años?)|dentro de`,
  ),
  beforeName: words(`me llamo|mi nombre(?: completo)? es|soy|habla(?= \\p{Lu})`),
  beforeHome: words(
    `(?:ahora )?viv(?:o|imos) en|(?:me|nos) (?:(?:he|hemos) )?mud(?:é|ado|amos)(?: con [^,.;]{1,24}?)? a(?: l[ao])?`,
  ),
  numbers: {
    values: new Map([
      ...counted(
        'cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve',
      ),
      ...counted(
        'veinte veintiuno/veintiún veintidós/veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve',
        20,
      ),
      ...counted('treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento', 30, 10),
    ]),
    scales: countsOf('mil=1000'),
    and: setOf('y'),
    repeat: countsOf('doble=2 triple=3'),
    signs: mapOf(`guion=- guión=- barra=/ punto=. arroba=@ más=+ apóstrofo='`),
    asIn: /^(?:de|como)$/i,
  },
};
