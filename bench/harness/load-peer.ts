import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { firstLine, installPackages } from './install-packages.ts'
import type { Peer, PeerName } from './peer.ts'

export type LoadedPeer = { readonly ok: true; readonly peer: Peer } | { readonly ok: false; readonly reason: string }

/** The last two are other ways of LangChain’s to shorten a conversation, which ask no model. */
export type LoadableName = PeerName | 'langchain-trim' | 'langchain-clear'

/** Loads a peer, and installs it first if needed. If that fails, the reason can be shown in a row. */
export async function loadPeer(name: LoadableName): Promise<LoadedPeer> {
  const failure = installPackages(BENCH)
  if (failure !== undefined) return { ok: false, reason: failure }
  try {
    // Not a literal path, so that the checks of this repository pass without the peers.
    const path = pathToFileURL(join(BENCH, 'peers', `${name}.ts`)).href
    const { peer } = (await import(path)) as { peer: Peer }
    return { ok: true, peer }
  } catch (error) {
    return { ok: false, reason: `${name} could not be loaded: ${firstLine(error)}` }
  }
}

const BENCH = join(import.meta.dirname, '..')
