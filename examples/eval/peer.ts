/**
 * A system that bench/peers drives, as a compactor: used by pi.ts, langchain.ts and gemini-cli.ts, which you can run.
 * pith eval --compactor ./examples/eval/pi.ts
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPeer } from '../../bench/harness/load-peer.ts'
import type { PeerName } from '../../bench/harness/peer.ts'
import type { Message } from '../../src/index.ts'

type Options = { windowTokens: number; targetTokens: number }

export async function peerCompactor(name: PeerName) {
  const loaded = await loadPeer(name)
  if (!loaded.ok) throw new Error(loaded.reason)
  const { peer } = loaded
  const folder = mkdtempSync(join(tmpdir(), 'pith-eval-'))
  return async (messages: Message[], { windowTokens: window, targetTokens }: Options) => {
    const [url = '', model = ''] = [process.env.MODEL_URL, process.env.MODEL]
    const task = { url, model, window, folder, keepTokens: Math.floor(targetTokens * 0.7) }
    return peer.messagesOf(await peer.compact?.(peer.nativeOf(messages), task))
  }
}
