/**
 * A graph whose state is kept by a checkpointer, as LangGraph has it: after each node the values of all channels are
 * stored under a thread. Pith's state is one more channel beside the messages. Nothing here needs a model or a package.
 * In an empty folder with the copy of this file in the package: npm install pith && node graph-checkpointer.ts
 */
import { type ContextState, fit, type Message } from '../../src/index.ts' // in your program: from 'pith'

type Channels = { readonly messages: readonly Message[]; readonly pith?: ContextState }
type Config = { readonly configurable: { readonly thread_id: string } }

/** The part of a checkpointer that a graph uses; yours is SQLite, Redis or PostgreSQL. */
class Checkpointer {
  readonly #stored = new Map<string, string>()

  async getTuple({ configurable }: Config): Promise<{ channel_values: Channels } | undefined> {
    const text = this.#stored.get(configurable.thread_id)
    return text === undefined ? undefined : { channel_values: JSON.parse(text) }
  }

  async put({ configurable }: Config, checkpoint: { channel_values: Channels }): Promise<void> {
    this.#stored.set(configurable.thread_id, JSON.stringify(checkpoint.channel_values))
  }
}

/** The node in front of the model: its result goes to the channels. The model is given `messages`. */
async function fitNode({ messages, pith }: Channels): Promise<Channels & { readonly compacted: boolean }> {
  const fitted = await fit(messages, { window: 8_000, state: pith })
  if (fitted.stateIgnored !== undefined) throw new Error(fitted.stateIgnored)
  // The channel holds the messages that the model sees, so that it does not grow.
  return { messages: fitted.messages, pith: fitted.state, compacted: fitted.result?.compacted === true }
}

const checkpointer = new Checkpointer()
const config: Config = { configurable: { thread_id: 'thread-1' } }
for (let turn = 1; turn <= 30; turn++) {
  const { messages, pith } = (await checkpointer.getTuple(config))?.channel_values ?? { messages: [] }
  const question: Message = { role: 'user', content: `Turn ${turn}: ${'what of the harbour? '.repeat(40)}` }
  const next = await fitNode({ messages: [...messages, question], pith })
  const answer: Message = {
    role: 'assistant',
    content: `On turn ${turn} we decided to wait. ${'For this reason. '.repeat(40)}`,
  }
  await checkpointer.put(config, { channel_values: { messages: [...next.messages, answer], pith: next.pith } })
  if (next.compacted) console.log(`turn ${turn}: compacted to ${next.messages.length} messages`)
}
const end = (await checkpointer.getTuple(config))?.channel_values
console.log(
  `the first words are still there: ${JSON.stringify(end?.messages).includes('Turn 1: what of the harbour?')}`,
)
