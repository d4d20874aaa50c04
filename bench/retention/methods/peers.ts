import { join } from 'node:path'
import { featureEstimator, messagesTokens } from '../../../src/engine.ts'
import type { BenchContext } from '../../harness/bench.ts'
import { loadPeer } from '../../harness/load-peer.ts'
import { PEER_NAMES, type Peer, type PeerName } from '../../harness/peer.ts'
import type { Player } from '../../judge/player.ts'
import { playerOf } from '../../judge/player-of.ts'
import { servePlayer } from '../../judge/serve-player.ts'
import type { Method, Outcome } from './method.ts'

/** The peers, by their own functions. Those that ask a model run with the one that the user named, or not at all. */
export async function peerMethods(context: BenchContext): Promise<Method[]> {
  const player = summariser(context)
  const url = player === undefined ? undefined : (await servePlayer(player)).url
  const methods: Method[] = []
  for (const name of PEER_NAMES) {
    const loaded = await loadPeer(name)
    if (!loaded.ok) methods.push({ name, run: async () => ({ ok: false, why: loaded.reason }) })
    else methods.push(...methodsOf(name, loaded.peer, url, context.scratch))
  }
  return methods
}

/** pi's own compaction, with a player for its model; an unlimited budget means its own settings. Undefined if it cannot be loaded. */
export async function piMethod(player: Player, folder: string): Promise<Method | undefined> {
  const loaded = await loadPeer('pi')
  if (!loaded.ok) return undefined
  return compacting(SUMMARISING.pi, loaded.peer, (await servePlayer(player)).url, folder)
}

/** The player that writes the summaries, if the user named one. */
export function summariser({ model, progress }: BenchContext): Player | undefined {
  if (model === undefined) return undefined
  return playerOf(model, { folder: join(import.meta.dirname, '..', '..', 'exchange', 'summaries'), progress })
}

function methodsOf(name: PeerName, peer: Peer, url: string | undefined, folder: string): Method[] {
  if (name === 'ai-sdk') return [compacting('AI SDK pruneMessages', peer, '', folder)]
  const trims = name === 'langchain' ? [trimming(peer)] : []
  return [...trims, compacting(SUMMARISING[name], peer, url, folder)]
}

const SUMMARISING: Readonly<Record<Exclude<PeerName, 'ai-sdk'>, string>> = {
  pi: 'pi compact',
  langchain: 'LangChain summarization',
  gemini: 'Gemini compression',
}

/** The share of a budget that is kept verbatim, if a peer has a setting for it: the rest is for its summary. */
const TAIL_SHARE = 0.7

function compacting(name: string, peer: Peer, url: string | undefined, folder: string): Method {
  return {
    name,
    run: async ({ before, tokens }, budget): Promise<Outcome> => {
      if (url === undefined) return { ok: false, why: 'needs a model' }
      if (peer.compact === undefined) return { ok: false, why: 'has no such function' }
      const tail = Number.isFinite(budget) ? { keepTokens: Math.floor(budget * TAIL_SHARE) } : {}
      const task = { url, model: 'player', window: Math.floor(tokens / 0.8), folder, ...tail }
      try {
        const messages = peer.messagesOf(await peer.compact(peer.nativeOf(before), task))
        const isShorter = messagesTokens(messages, featureEstimator) < tokens * 0.9
        return isShorter || url === '' ? { ok: true, messages } : { ok: false, why: 'makes nothing shorter here' }
      } catch (error) {
        return { ok: false, why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
      }
    },
  }
}

/** It always keeps this many tokens, so it cannot run with a smaller budget. */
const TRIMMED_TOKENS = 20_000

function trimming(peer: Peer): Method {
  return {
    name: 'LangChain trimMessages',
    run: async ({ before }, budget) => {
      if (budget < TRIMMED_TOKENS || peer.plan === undefined) return { ok: false, why: 'keeps 20k' }
      return { ok: true, messages: before.slice(await peer.plan(peer.nativeOf(before))) }
    },
  }
}
