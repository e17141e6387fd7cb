import { counted, countsOf, mapOf, opening, setOf, words, type Lexicon } from './lexicon.js';

export const PT: Lexicon = {
  code: 'pt',
  stop: setOf(
    `o a os as um uma uns umas e ou mas se porque como de do da dos das em no na nos nas com por para pelo pela sem sobre que qual quem quando onde é são era foi ser estar está estou estão tem tenho ter há pode posso poderia não nem eu me meu minha meus minhas mim tu te você vocês seu sua seus suas ele ela eles lhe nós nosso nossa isso isto este esta esse essa muito mais também já só aqui aí vai vou tudo agora quanto quantos quantas`,
  ),
  idle: setOf(
    `olá oi bom dia boa tarde noite obrigado obrigada por favor sim não claro certo perfeito ótimo ótima exato correto tudo bem ok okay tchau adeus até logo é hum ah oh então pois desculpe perdão momento entendi entendido senhor senhora muito ajuda beleza combinado`,
  ),
  smallTalk: words(
    `(?:em que|como) (?:posso|podemos)(?: \\p{L}+)? ajud\\p{L}+|mais alguma coisa|algo mais|posso ajud\\p{L}+|tenha um|bom dia|obrigad[oa] por (?:ligar|contactar|entrar)|de nada|até logo|um (?:momento|segundo|minuto|instante)|só um|espere?|deixe-me (?:ver|verificar)|deixa eu ver|estou (?:aqui|esperando|procurando|abrindo)|(?:me|está a) ouv(?:e|ir)(?:-me)?`,
  ),
  asks: words(
    `(?:pode|poderia|podia)(?:-me)? (?:me )?(?:dizer|dar|informar|confirmar|indicar|fornecer|soletrar)|(?:diga|dê|informe|confirme|indique)(?:-me)?|qual|quais|quantos|quantas|preciso d[oae]`,
  ),
  self: words(
    `eu|me|meu|minha|meus|minhas|mim|comigo|sou|estou|tenho|quero|preciso|moro|trabalho|nós|nosso|nossa|gostaria|prefiro|vou`,
  ),
  wants: words(
    `quero|queria|gostaria|preciso|procuro|estou (?:à procura|procurando|ligando)|desejo|pode|poderia|tenho um problema|não funciona|reservar|queremos|precisamos|posso|podemos|podia`,
  ),
  prefers: words(
    `(?:gosto|adoro|amo|odeio|prefiro|detesto|evito)|não (?:gosto|como|bebo|suporto)|sou (?:alérgic[oa]|vegetarian[oa]|vegan[oa]|diabétic[oa]|intolerante)|alergia|favorit[oa]s?|preferid[oa]s?|sempre|nunca|costumo`,
  ),
  plans: words(`vou|vamos|pretendo|planejo|planeio|penso em|decidi|decidimos|viajo`),
  commits: words(
    `(?:foi|foram|está|estão|fica|ficou) (?:já )?\\p{L}+(?:ad[oa]s?|id[oa]s?|erto|ito)|(?:abri|reservei|cancelei|enviei|marquei|confirmei|alterei|registei|registrei|agendei)|(?:receberá|será|terá|vamos|iremos)|(?:o )?seu (?:\\p{L}+ ){1,4}(?:é|está|será|tem|foi)|a sua (?:\\p{L}+ ){1,4}(?:é|está|será|tem|foi)|número d[aeo] (?:processo|reserva|pedido|caso|sinistro)`,
  ),
  instructs: words(
    `(?:por favor,? )(?!espere|aguarde|confirme|diga|informe)\\p{L}+|lembre-se|não (?:se )?esqueça|traga|deve|pode`,
  ),
  addresses: words(`você|vocês|seu|sua|seus|suas|lhe|lhes|tu|te|teu|tua`),
  agrees: opening(
    `sim|claro|certo|correto|exato|perfeito|está bem|tudo bem|isso(?: mesmo)?|combinado|pode ser|ok|okay|com certeza|ótimo|confirmo`,
  ),
  denies: opening(`não|nunca|nenhum[a]?|nada`),
  corrects: words(
    `na verdade|já não|esqueça|não preciso|aliás|em vez|desculpe|quero dizer|quis dizer|mud(?:ar|e)|alter(?:ar|e)|corrig\\p{L}+|errado|nov[oa] (?:telefone|número|e-?mail|endereço|morada)|agora é|(?:alterei|remarquei|mudei|adiei)|(?:alterad|remarcad|adiad)[oa]`,
  ),
  another: words(
    `outr[oa]s?|também|além|segund[oa]|adicional|alternativ[oa]|escritório|do trabalho|emergência|durante|aos fins de semana|antig[oa]|anterior|antes`,
  ),
  ofOther: words(
    `((?:d[oa] )?(?:meu|minha|seu|sua) (?:mulher|esposa|marido|esposo|filh[oa]|mãe|pai|irmão|irmã|chefe|amig[oa]|namorad[oa]|vizinh[oa]|avó|avô|ti[oa]|prim[oa]))`,
  ),
  relativeDay: words(
    `hoje|amanhã|ontem|anteontem|depois de amanhã|(?:esta|este|nesta|neste|próxim[oa]|na próxima|no próximo) (?:semana|mês|ano|noite|tarde|manhã|segunda|terça|quarta|quinta|sexta|sábado|domingo)|(?:semana|mês|ano) passad[oa]|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|há \\p{L}+ (?:dias?|semanas?|mês|meses|anos?)|daqui a`,
  ),
  beforeName: words(`me chamo|chamo-me|(?:o )?meu nome(?: completo)? é|sou(?: [oa])?`),
  beforeHome: words(`(?:agora )?moro em|vivo em|mudei(?:-me)? para`),
  numbers: {
    values: new Map([
      ...counted(
        'zero um/uma dois/duas três/tres quatro cinco seis/meia sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
      ),
      ...counted('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento', 20, 10),
    ]),
    scales: countsOf('mil=1000'),
    and: setOf('e'),
    repeat: countsOf('duplo=2 dobro=2 triplo=3'),
    signs: mapOf(`traço=- hífen=- barra=/ ponto=. arroba=@ mais=+ apóstrofo='`),
    asIn: /^(?:de|como)$/i,
  },
};
