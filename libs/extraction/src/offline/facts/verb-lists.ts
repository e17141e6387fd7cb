/** `base` or `base/past` or `base/past/participle` for irregular verbs. */
export const EVENT =
  'move relocate adopt buy/bought sell/sold join start begin/began/begun finish complete graduate marry divorce retire resign ' +
  'quit/quit leave/left/left lose/lost win/won visit travel fly/flew/flown drive/drove/driven go/went/gone attend volunteer enroll enrol apply ' +
  'hire book order cancel postpone rent lease paint draw/drew/drawn write/wrote/written publish record release perform ' +
  'build/built design create launch open close found host organize organise donate raise adopt rescue foster ' +
  'break/broke/broken injure hurt/hurt sprain twist recover learn/learned train compete race hike camp climb swim/swam/swum run/ran/run ' +
  'cook bake grill plant grow/grew/grown knit sew craft carve sculpt photograph film audition interview sign register ' +
  'meet/met date propose engage elope separate celebrate lecture present submit pitch invest earn save borrow ' +
  'receive inherit land accept decline reject pass fail switch change stop resume return renovate repair fix replace upgrade ' +
  'discover explore watch read/read see/saw/seen play listen eat/ate/eaten drink/drank/drunk try visit tour shop deliver ' +
  'teach/taught/taught coach mentor study practice practise research develop direct compose choreograph schedule reschedule ' +
  'downsize expand decorate redecorate wear/wore/worn borrow lend/lent bring/brought spend/spent hang/hung mail send/sent ' +
  'fall/fell/fallen crash beat/beat/beaten score place qualify tie break audition rehearse pick choose/chose/chosen name call catch/caught ' +
  'pursue plan attempt sponsor promote demote fire transfer migrate immigrate emigrate arrive depart check-in swap trade collect ' +
  'invite surprise interview diagnose operate give/gave/given set/set put/put throw/threw/thrown come/came/come ' +
  'code program assemble restore refinish stain install remodel hike kayak canoe ski surf dive snorkel sail row cycle bike skate jog walk ride/rode/ridden dance sing/sang/sung act meditate babysit/babysat ' +
  'hold/held hit/hit talk chat turn chase face shut/shut snap challenge contact reorganize reorganise roast whip wrap stumble figure push network draft reset/reset ' +
  'lift stretch explain encourage express gather share fight/fought document frame restock advertise market partner collaborate drop distribute serve deploy ' +
  'enlist evacuate tackle overcome/overcame/overcome transition struggle experiment tweak update mix upload post stream show/showed/shown add brainstorm connect ' +
  'unwind/unwound escape bond balance commit devote dedicate ace fish glaze hunt sort clean pack unpack bury lay/laid feed/fed brush groom walk blend reconnect ' +
  'offer provide help reach step motivate inspire remind cause damage destroy steal/stole/stolen rob interact revamp customize customise pen edit revise ' +
  'announce guide contribute tinker sketch doodle crochet embroider weave/wove/woven brew forage fundraise campaign protest vote trek paddle juggle tutor blog journal ' +
  'translate illustrate animate declutter upcycle recycle compost skateboard snowboard backpack hitchhike skydive wrestle squat referee intern freelance ' +
  'fracture dislocate remarry befriend carpool homeschool refinance whittle weld varnish mow harvest memorize memorise breed/bred/bred sightsee ' +
  'retake/retook/retaken redo/redid/redone die email skype remember forget/forgot/forgotten visualize visualise incorporate rely respect recommend ';
/** Other verbs of deeds: a fact only if the clause says more than one thing about them. */
export const COMMON =
  'advise appear appoint arrange assist attach award bankrupt bend/bent bid/bid bite/bit/bitten bleed/bled ' +
  'blow/blew/blown bump burn/burnt busk cater charge combine commission compile conduct confirm construct consult ' +
  'convert convince cooperate crowdfund debug defend delete demolish depict deposit dig/dug dismiss dissect elect ' +
  'emcee employ enter erase establish evolve examine exchange exhibit export extend fetch flee/fled fold format ' +
  'freeze/froze/frozen generate haggle handle hide/hid/hidden imitate import improvise inspect insure interrupt ' +
  'invent investigate invoice lay/laid light/lit maintain market measure merge mine misread/misread ' +
  'mistake/mistook/mistaken narrate navigate negotiate nominate observe obtain occupy optimise optimize ' +
  'outgrow/outgrew/outgrown outline overhaul overhear/overheard oversee/oversaw/overseen oversleep/overslept owe ' +
  'pay/paid persuade pickle polish postpone prepare process produce progress proofread/proofread prove purchase ' +
  'reapply rebrand rebuild/rebuilt recite reconsider recover recruit redesign reduce refactor refund refuse ' +
  'reinvent reissue rejoin relaunch remake/remade remaster remove rename renegotiate renew reopen repay/repaid ' +
  'replace reread resell/resold reserve resurface retell/retold retrain reuse reveal revisit rewire ' +
  'rewrite/rewrote/rewritten rip scrap secure seek/sought seize select separate settle shake/shook/shaken ' +
  'shrink/shrank/shrunk simplify  skip sleep/slept slide/slid smuggle solder solve ' +
  'spill/spilt spray starve steam stick/stuck sting/stung stitch strike/struck strum subtitle succeed sue supervise ' +
  'supply sweep/swept tailor tear/tore/torn thrift tighten toast transcribe transform trim type ' +
  'undergo/underwent/undergone undertake/undertook/undertaken unlock unveil unwind/unwound upset/upset vanish ' +
  'varnish verify vlog ' +
  'assess baptise baptize carry confess curate digitise digitize ferment forgive/forgave/forgiven hatch knead marinate neuter pierce preach preserve prune relearn resit/resat reunite scrub shave simmer ' +
  'swear/swore/sworn umpire upholster vaccinate wake/woke/woken wander warn waste welcome win/won withdraw/withdrew/withdrawn wreck';
export const STATE =
  'live reside stay work own belong speak/spoke/spoken know-how drive wear attend run teach/taught/taught study major specialize specialise volunteer ' +
  'smoke commute rent keep/kept/kept lead/led manage co-own foster raise train weigh suffer take-care know/knew/known subscribe use earn cost avoid owe support';
export const TASTE =
  'stand love like enjoy adore hate dislike detest loathe despise prefer crave fancy cherish treasure admire';
export const LIGHT =
  'have/had get/got make/made take/took/taken do/did/done find/found need want hope decide look think/thought tell/told say/said ask feel/felt hear/heard become/became';
/**
 * Verbs whose forms are also common nouns or adjectives ("a short film", "my last shot"): read as verbs only where one
 * must stand, after "I", an auxiliary or "to".
 */
export const ALSO_NOUNS =
  'beat/beat/beaten bind/bound block board bomb brand budget bug burst/burst cap capture cast/cast ' +
  'catalogue caution chair channel chip clip coat compere copy credit crew cut/cut cycle deal/dealt demo detail dj ' +
  'dress drill drop drum dump dye engineer exhibit experience feature file finance fit flavour flip flood follow ' +
  'frame front function fund gamble grade grind/ground guide ham head host hunt illustrate issue jam judge jump ' +
  'keynote label land layer level limit link list load loan lock log map mark master match milk mock model monitor ' +
  'mould nail name network nurse object outsource package pair park part pass paste patch patent phone pilot pin ' +
  'place plate plot plug pocket pot premiere press price print produce profile program programme project punch ' +
  'purchase push quarrel queue quilt quiz quote race raid rally range rank rap rate reference release rent repair ' +
  'report request rescue research retire review reward ring/rang/rung rise/rose/risen risk root rule sample sand ' +
  'save scan schedule scout screen script sculpture sentence shoot/shot shortlist sketch slip sort source spell ' +
  'spin/spun split/split spot spread/spread spring/sprang/sprung sprint stage stamp stand/stood star stencil stock ' +
  'storm string/strung style summit survey tape taste tax test tile top touch tour toy trace track trap trash treat ' +
  'trick trip tune tweet ' +
  'barbecue boil bowl braise etch fry iron kick leap/leapt mind plaster podcast pray rake shovel sneak/snuck stack steer swarm swing/swung tow vacuum water weed windsurf worship vet video view voice wash wax wind/wound wire work wrap xerox zip';
