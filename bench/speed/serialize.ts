import { policyOf, serializeAll } from '../../src/engine.ts'
import type { PeerName } from '../harness/peer.ts'
import { contestant } from '../harness/timing.ts'
import { type Contest, peerEntrant } from './contest.ts'
import { textsOf } from './every-character.ts'
import { fresh } from './material.ts'
import { speedBench } from './speed-bench.ts'

const policy = policyOf()
const PEERS: readonly PeerName[] = ['pi', 'langchain']

/** The text that a summariser reads, as bytes that could be sent. */
export const whole: Contest = {
  slug: 'serialize',
  title: 'Rendering a whole session for a summariser',
  module: import.meta.filename,
  name: 'whole',
  entrants: [
    {
      name: 'Pith',
      kind: 'pith',
      enter: (material) =>
        contestant({
          name: '',
          prepare: () => fresh(material),
          run: (all) => all.map((messages) => bytesOf(serializeAll(messages, policy))),
        }),
    },
    ...PEERS.map((name) =>
      peerEntrant(name, (peer, material) =>
        contestant({
          name,
          prepare: () => fresh(material).map((messages) => peer.nativeOf(messages)),
          run: (natives) => natives.map((native) => bytesOf(peer.serialize?.(native) ?? '')),
        }),
      ),
    ),
    {
      name: 'the same texts joined',
      kind: 'limit',
      enter: (material) =>
        contestant({
          name: '',
          prepare: () => fresh(material).map((messages) => messages.flatMap(textsOf)),
          run: (all) => all.map((texts) => bytesOf(texts.join('\n\n'))),
        }),
    },
  ],
}

/** V8 joins strings lazily. This writes them out, for all entrants alike. */
function bytesOf(text: string): number {
  return Buffer.from(text).length
}

export const serializing = speedBench(
  {
    name: 'speed/serialize',
    what: 'How long it takes to render a whole session as the text that a summariser reads, to the bytes that are sent.',
    notes: [
      'Pith: `serializeAll` with the default policy. pi: `serializeConversation`, tool results cut at 2,000 characters. LangChain: `getBufferString`. Gemini CLI and the AI SDK render no text.',
    ],
  },
  [whole],
)
