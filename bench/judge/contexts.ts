import { featureEstimator, type Message, messagesTokens, type SummaryModel } from '../../src/engine.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import type { Cut } from '../retention/cuts.ts'
import type { Method } from '../retention/methods/method.ts'
import { pithDefault, playedModel } from '../retention/methods/pith.ts'
import { tenLineScript } from '../retention/methods/ten-lines.ts'
import { defaultCompaction, recordText, spanText } from '../retention/record-text.ts'
import { type LookUp, lookUpIn } from './look-up.ts'
import type { Player } from './player.ts'

/** The size that users get, or the size of the recorded summary. */
export type Size = 'users' | 'equal'

/** The text that is left of a session at a cut, as the player who answers reads it. */
export type Context = {
  readonly name: string
  /** A recorded summary has the same size in both comparisons and is asked once. */
  readonly sizes: readonly Size[]
  readonly tokens: number
  readonly text: string
  /** Lets the player look up earlier messages before answering. */
  readonly lookUp?: LookUp
  /** Why the model's summary was refused: the context is then the same as without a model. */
  readonly refusal?: string
}

/** The writers of the summaries that Pith and pi ask for. Contexts without a writer are left out. */
export type Writers = { readonly model?: Player; readonly pi?: Method }

/** The length of a context of equal size if no summary was recorded. */
const EQUAL_CHARACTERS = 12_000

/**
 * All contexts of a cut: Pith without and with a model, with and without its tail, with recall; pi's, the recorded summary, the
 * ten-line script. Contexts that a model writes are made only at the size that users get.
 */
export async function contextsOf(cut: Cut, { model, pi }: Writers): Promise<Context[]> {
  const characters = cut.recorded?.length ?? EQUAL_CHARACTERS
  const peers = pi === undefined ? [] : await piContexts(cut, pi)
  const recorded =
    cut.recorded === undefined ? [] : [contextOf('recorded summary', ['users', 'equal'], asMessages(cut.recorded))]
  return [
    ...(await usersContexts(cut, 'Pith')),
    ...(await equalContexts(cut, characters)),
    ...(model === undefined ? [] : await usersContexts(cut, 'Pith with a model', [playedModel(model)])),
    ...peers,
    ...recorded,
    contextOf('ten-line script', ['users'], asMessages(tenLineScript(cut))),
    contextOf('ten-line script', ['equal'], asMessages(tenLineScript(cut, characters))),
  ].filter(({ text }) => text !== '')
}

async function usersContexts(cut: Cut, name: string, summaryModels: readonly SummaryModel[] = []): Promise<Context[]> {
  const users = await defaultCompaction(cut, { summaryModels })
  const whole = contextOf(`${name}: record and tail`, ['users'], users.compacted ? users.messages : [], users)
  return [
    whole,
    { ...whole, name: `${name}: record, tail and recall`, lookUp: lookUpIn(cut.log) },
    contextOf(`${name}: record`, ['users'], asMessages(recordText(users)), users),
  ]
}

async function equalContexts(cut: Cut, characters: number): Promise<Context[]> {
  const tokens = cut.recorded === undefined ? characters / 4 : tokensOf(asMessages(cut.recorded))
  const [equal, whole] = await Promise.all([pithDefault.run(cut, tokens), spanText(cut, characters)])
  return [
    contextOf('Pith: record and tail', ['equal'], equal.ok ? equal.messages : [], equal),
    contextOf('Pith: record', ['equal'], asMessages(whole)),
  ]
}

async function piContexts(cut: Cut, pi: Method): Promise<Context[]> {
  const users = await pi.run(cut, Number.POSITIVE_INFINITY)
  return [contextOf('pi: summary and tail', ['users'], users.ok ? users.messages : [])]
}

/** A context that could not be made here has an empty text, and is left out later. */
function contextOf(name: string, sizes: readonly Size[], messages: readonly Message[], made: object = {}): Context {
  const isEmpty = messages.every((message) => messageShown(message).trim() === '')
  const shown = messages.map((message) => `[${message.role}]\n${messageShown(message)}`).join('\n\n')
  const refused = 'refusal' in made && typeof made.refusal === 'string' ? { refusal: made.refusal } : {}
  return { name, sizes, tokens: tokensOf(messages), text: isEmpty ? '' : shown, ...refused }
}

function asMessages(content: string): Message[] {
  return [{ role: 'user', content }]
}

function tokensOf(messages: readonly Message[]): number {
  return messagesTokens(messages, featureEstimator)
}
