import { createHash } from 'node:crypto'
import type { Entry, EntryDraft, Message } from '../../src/model/types.ts'
import { assistant, call, result, user } from './messages.ts'

/** The task of one process of a test: its steps are a function of seed, name and number, so that they can be repeated. */
export type Task = {
  readonly where: string
  readonly session: string
  readonly seed: number
  /** Names the process, in its messages and as the holder of leases. */
  readonly name: string
  readonly mode: 'until-killed' | 'together' | 'while-a-model-writes'
  readonly leaseMs: number
  /** The context window that it compacts for. */
  readonly window: number
  /** The time of the store's clock; the machine's own when absent. */
  readonly now?: number
  /** How many steps; as many as there is time for when absent. */
  readonly steps?: number
  /** A step of an earlier process that may not have come through: its messages are sent again first. */
  readonly again?: { readonly name: string; readonly step: number }
}

/** A report of a process about an action, after the store has acknowledged it. */
export type StreamEvent =
  | { readonly type: 'ack'; readonly step: number; readonly seq: number; readonly id: string; readonly hash: string }
  | { readonly type: 'busy'; readonly by: string }
  | { readonly type: 'superseded' }
  | { readonly type: 'ready' }
  | { readonly type: 'asked' }
  | { readonly type: 'done' }
  | { readonly type: 'seen'; readonly entries: readonly (readonly [seq: number, id: string])[] }

export type Ack = Extract<StreamEvent, { type: 'ack' }>

/** The messages of a step, each list for an append of its own. */
export type Step =
  | { readonly kind: 'say'; readonly appends: readonly { readonly key: string; readonly drafts: EntryDraft[] }[] }
  | { readonly kind: 'compact'; readonly reason: 'manual' | 'threshold' }
  | { readonly kind: 'undo' | 'redo' }

export function stepOf({ seed, name }: Pick<Task, 'seed' | 'name'>, step: number): Step {
  const next = randomOf(`${seed} ${name} ${step}`)
  const dice = next(100)
  if (dice < 16) return { kind: 'compact', reason: next(2) === 0 ? 'manual' : 'threshold' }
  if (dice < 23) return { kind: 'undo' }
  if (dice < 26) return { kind: 'redo' }
  const key = `${name}/${step}`
  return {
    kind: 'say',
    appends: saidAs(key, next).map((messages, i) => ({
      key: `${key}/${i}`,
      drafts: messages.map((message) => ({ type: 'message', message })),
    })),
  }
}

/** Every message has a tag of its own, `<name/step>`: none may be lost, none may be there twice. */
function saidAs(key: string, next: (below: number) => number): Message[][] {
  const words = (characters: number) => `<${key}> never touch port ${next(9000)} `.padEnd(characters, 'lorem ipsum. ')
  const tool = `call-${key}`
  const asked = call(tool, 'read', { path: `src/${key}.ts`, for: `<${key}>` })
  switch (next(5)) {
    case 0:
      return [[user(words(80 + next(300)))]]
    case 1:
      return [[user(words(200)), assistant(`<${key}> is done. `.padEnd(100 + next(400), 'It works now. '))]]
    case 2:
      return [[asked, result(tool, words(100 + next(3_000)))]]
    case 3:
      // The call and its result in two appends: a crash, or what another process says, can come between them.
      return [[asked], [result(tool, words(100 + next(500)))]]
    default:
      return [[assistant(words(60 + next(200)))]]
  }
}

/** A hash of all that an entry says, whatever the order in which a database gives its fields back. */
export function hashOf(entry: Entry): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(entry)))
    .digest('hex')
    .slice(0, 32)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** Numbers below a bound that look random and are a function of a text. */
export function randomOf(seed: string): (below: number) => number {
  let count = 0
  return (below) => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32LE(0) % below
}
