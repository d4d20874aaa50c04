import { featureEstimator, type Message, messagesTokens, type SummaryModel } from '../../src/engine/index.ts'
import type { Cut } from '../retention/cuts.ts'
import type { Method } from '../retention/methods/method.ts'
import { pithDefault, pithWithModel, playedModel } from '../retention/methods/pith.ts'
import { tenLineScript } from '../retention/methods/ten-lines.ts'
import { defaultCompaction, recordText, spanText } from '../retention/record-text.ts'
import { textOf } from '../retention/shown.ts'
import type { Player } from './player.ts'

/** As much as its users get, or as much as the recorded summary has. */
export type Size = 'users' | 'equal'

/** What is left of a session at a cut, as somebody who answers reads it. */
export type Context = {
  readonly name: string
  /** A recorded summary has the same size in both comparisons and is asked once. */
  readonly sizes: readonly Size[]
  readonly tokens: number
  readonly text: string
  /** Why no model's summary was taken: then it is the same as without a model. */
  readonly refusal?: string
}

/** Who writes the summaries that Pith and pi ask for; what has nobody to write it is left out. */
export type Writers = { readonly model?: Player; readonly pi?: Method }

/** So long is a context of equal size where no summary was recorded. */
const EQUAL_CHARACTERS = 12_000

/** All contexts of a cut: Pith without and with a model, with and without its tail, pi's, the recorded summary, the ten-line script. */
export async function contextsOf(cut: Cut, { model, pi }: Writers): Promise<Context[]> {
  const characters = cut.recorded?.length ?? EQUAL_CHARACTERS
  const tokens = cut.recorded === undefined ? characters / 4 : tokensOf(said(cut.recorded))
  const ours = await pithContexts(cut, 'Pith', { characters, tokens, method: pithDefault })
  const played = model && {
    characters,
    tokens,
    method: pithWithModel(model),
    summaryModels: [playedModel(model)],
  }
  const withModel = played === undefined ? [] : await pithContexts(cut, 'Pith with a model', played)
  const peers = pi === undefined ? [] : await piContexts(cut, pi, tokens)
  const recorded =
    cut.recorded === undefined ? [] : [contextOf('recorded summary', ['users', 'equal'], said(cut.recorded))]
  return [
    ...ours,
    ...withModel,
    ...peers,
    ...recorded,
    contextOf('ten-line script', ['users'], said(tenLineScript(cut))),
    contextOf('ten-line script', ['equal'], said(tenLineScript(cut, characters))),
  ].filter(({ text }) => text !== '')
}

type Equal = {
  readonly characters: number
  readonly tokens: number
  readonly method: Method
  readonly summaryModels?: readonly SummaryModel[]
}

async function pithContexts(cut: Cut, name: string, { characters, tokens, method, summaryModels = [] }: Equal) {
  const [users, equal, whole] = await Promise.all([
    defaultCompaction(cut, { summaryModels }),
    method.run(cut, tokens),
    spanText(cut, characters, { summaryModels }),
  ])
  return [
    contextOf(`${name}: record and tail`, ['users'], users.compacted ? users.messages : [], users),
    contextOf(`${name}: record`, ['users'], said(recordText(users)), users),
    contextOf(`${name}: record and tail`, ['equal'], equal.ok ? equal.messages : [], equal),
    contextOf(`${name}: record`, ['equal'], said(whole.text), whole),
  ]
}

async function piContexts(cut: Cut, pi: Method, tokens: number): Promise<Context[]> {
  const [users, equal] = await Promise.all([pi.run(cut, Number.POSITIVE_INFINITY), pi.run(cut, tokens)])
  return [
    contextOf('pi: summary and tail', ['users'], users.ok ? users.messages : []),
    contextOf('pi: summary and tail', ['equal'], equal.ok ? equal.messages : []),
  ]
}

/** One without a text could not be made here, and is left out. */
function contextOf(name: string, sizes: readonly Size[], messages: readonly Message[], made: object = {}): Context {
  const isEmpty = messages.every((message) => textOf(message).trim() === '')
  const shown = messages.map((message) => `[${message.role}]\n${textOf(message)}`).join('\n\n')
  const refused = 'refusal' in made && typeof made.refusal === 'string' ? { refusal: made.refusal } : {}
  return { name, sizes, tokens: tokensOf(messages), text: isEmpty ? '' : shown, ...refused }
}

function said(content: string): Message[] {
  return [{ role: 'user', content }]
}

function tokensOf(messages: readonly Message[]): number {
  return messagesTokens(messages, featureEstimator)
}
