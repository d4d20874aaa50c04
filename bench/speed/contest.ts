import { loadPeer } from '../harness/load-peer.ts'
import type { Peer, PeerName } from '../harness/peer.ts'
import type { Contestant } from '../harness/timing.ts'
import type { Material } from './material.ts'

/** One table: the task, the entrants, and the limit that all are compared with. */
export type Contest = {
  /** Its part of file names. */
  readonly slug: string
  readonly title: string
  /** The file that exports the contest as `name`, so that other processes can load it. */
  readonly module: string
  readonly name: string
  readonly entrants: readonly Entrant[]
  /** Each run has a process of its own, as when a user starts the program. */
  readonly coldStarts?: boolean
  /** The unit, if not milliseconds. */
  readonly unit?: 'µs'
  /** Makes files for a material, by name; not timed. */
  setUp?(material: Material, env: Env): Promise<Record<string, string>>
}

export type Entrant = {
  readonly name: string
  readonly kind: 'pith' | 'peer' | 'limit'
  /** Makes a contestant for a material; throws the reason if it cannot take part. */
  enter(material: Material, env: Env): Contestant | Promise<Contestant>
  /** For a peer: the row of Pith that does the same work. The first row if absent; `none` if no row does. */
  readonly rival?: string | 'none'
}

export type Env = {
  readonly scratch: string
  /** The instant model. */
  readonly url: string
  readonly files: Readonly<Record<string, string>>
}

export const PEER_LABELS: Readonly<Record<PeerName, string>> = {
  pi: 'pi',
  langchain: 'LangChain',
  gemini: 'Gemini CLI',
  'ai-sdk': 'AI SDK',
}

/** A peer as an entrant; if it cannot be loaded, its row says why. */
export function peerEntrant(
  name: PeerName,
  of: (peer: Peer, material: Material, env: Env) => Contestant | Promise<Contestant>,
  { label = PEER_LABELS[name], ...rival }: { readonly label?: string; readonly rival?: string } = {},
): Entrant {
  return {
    ...rival,
    name: label,
    kind: 'peer',
    enter: async (material, env) => {
      const loaded = await loadPeer(name)
      if (!loaded.ok) throw new Error(loaded.reason)
      return of(loaded.peer, material, env)
    },
  }
}
