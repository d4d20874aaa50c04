import type { Contender } from './outcome.ts'
import { PEERS, PLAIN } from './peers.ts'

/** Our own policies by the names under which they can be chosen; the first is the default. */
export const OURS: readonly Contender[] = [
  { name: 'Pith balanced (default)', policy: {} },
  { name: 'Pith economy', policy: { preset: 'economy' } },
  { name: 'Pith full-window', policy: { preset: 'full-window' } },
]

/** The default as it is without ends of work. */
const AT_THE_TRIGGER: Contender = { name: 'Pith balanced, only at the trigger', policy: { endOfWorkPercent: 100 } }

const PLAIN_SUMMARY: Contender = { name: PLAIN.name, peer: PLAIN }

/** The peers' defaults. */
export const PEER_CONTENDERS: readonly Contender[] = PEERS.map((peer) => ({ name: peer.name, peer }))

/** Our policies and the peers that summarise: they never run out of window, however long a session is. */
export const UNENDING: readonly Contender[] = [
  ...OURS,
  AT_THE_TRIGGER,
  PLAIN_SUMMARY,
  ...PEER_CONTENDERS.filter((contender) => !('peer' in contender && contender.peer.onlyMasks)),
]

/** Everything that is compared. */
export const CONTENDERS: readonly Contender[] = [
  ...UNENDING,
  ...PEER_CONTENDERS.filter((contender) => !UNENDING.includes(contender)),
  { name: 'no compaction', policy: { mode: 'off', suggestPercent: 0 } },
]
