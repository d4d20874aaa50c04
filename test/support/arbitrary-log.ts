import fc from 'fast-check'
import { undoTargets } from '../../src/engine/context/view/activity.ts'
import { entryAfter } from '../../src/engine/context/view/log.ts'
import { repairDraft } from '../../src/engine/context/view/repair.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import type { Entry, EntryDraft, Item, Message } from '../../src/model/types.ts'
import { compaction } from './compaction.ts'
import { assistant, call, result, user } from './messages.ts'

/** A step of a log, whatever it comes to after the entries before it. */
type Move = { readonly kind: (typeof KINDS)[number]; readonly pick: number; readonly words: number }

const KINDS = [
  ...(['ask', 'ask', 'answer', 'answer', 'answer', 'think', 'call', 'result', 'show', 'native'] as const),
  ...(['compact', 'mask', 'squeeze', 'edit', 'redact', 'pin', 'put-back', 'undo', 'redo', 'repair'] as const),
  ...(['leave-out', 'bring-back'] as const),
  ...(['attempt', 'settings', 'todo', 'void'] as const),
] as const

/** Logs of messages with reports of two models, and of all that can be done to them. */
export const anyLog: fc.Arbitrary<Entry[]> = fc
  .array(
    fc.record<Move>({
      kind: fc.constantFrom(...KINDS),
      pick: fc.nat({ max: 1_000 }),
      words: fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 600 })),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((moves) => {
    const log: Entry[] = []
    for (const move of moves) {
      const draft = draftOf(move, log)
      if (draft !== undefined) log.push(entryAfter(log.at(-1), draft, { clock: () => 1_000 * log.length }))
    }
    return log
  })

/** Entries that may come after a log. */
export function oneMoreOf(log: readonly Entry[]): fc.Arbitrary<Entry> {
  const kind = fc.constantFrom(...KINDS)
  return fc.record<Move>({ kind, pick: fc.nat({ max: 1_000 }), words: fc.nat({ max: 200 }) }).map((move) => {
    const draft = draftOf(move, log) ?? { type: 'message', message: user(`${move.pick}`) }
    return entryAfter(log.at(-1), draft)
  })
}

function draftOf({ kind, pick, words }: Move, log: readonly Entry[]): EntryDraft | undefined {
  const items = viewOf(log).items.slice()
  const target = items[pick % Math.max(1, items.length)]
  const text = `The answer ${pick} is in src/part${pick % 7}.ts: ${'a few words '.repeat(words)}`
  const message = (said: Message): EntryDraft => ({ type: 'message', message: said })
  switch (kind) {
    case 'ask':
      return pick % 4 === 0
        ? { type: 'message', message: user(text), userWords: [{ text: `Never touch file${pick}.ts.` }] }
        : message(user(text))
    case 'answer':
      return reported(assistant(text), log, pick)
    case 'think': {
      const content = [
        { type: 'reasoning' as const, text },
        { type: 'text' as const, text: 'So be it.' },
      ]
      return reported({ role: 'assistant', content }, log, pick)
    }
    case 'call':
      return reported(call(`c${pick % 5}`, pick % 2 === 0 ? 'read' : 'bash', inputOf(pick)), log, pick)
    case 'result':
      return {
        type: 'message',
        message: result(`c${pick % 5}`, text, pick % 2 === 0 ? 'read' : 'bash'),
        ...(pick % 4 === 0 ? { files: [{ path: `src/part${pick % 7}.ts`, access: 'read' }] } : {}),
      }
    case 'show':
      return { ...message(user(text)), shown: { head: 10, tail: 10 } } as EntryDraft
    case 'native':
      return reported(
        {
          role: 'assistant',
          content: [{ type: 'text', text: text.repeat(4), providerOptions: { anthropic: { type: 'compaction' } } }],
        },
        log,
        pick,
      )
    case 'compact':
      return items.length < 2 ? undefined : compactionOf(items, 1 + (pick % (items.length - 1)), pick)
    case 'mask':
      return { type: 'mask', targets: targetsOf(items, pick), tokensBefore: 1, tokensAfter: 1, ...driftOf(pick) }
    case 'squeeze':
      return { type: 'squeeze', squeezes: targetsOf(items, pick).map((seq) => ({ target: seq, head: 20, tail: 20 })) }
    case 'edit': {
      const summary = items.find((item) => item.kind === 'summary')
      return summary && { type: 'edit', of: summary.seq, summary: `edited ${pick}` }
    }
    case 'redact':
      return target && { type: 'redact', target: target.seq }
    case 'pin':
      return target && { type: 'pin', target: target.seq, on: pick % 2 === 0 }
    case 'put-back': {
      const said = log.filter(({ type }) => type === 'message')
      const seq = said[pick % Math.max(1, said.length)]?.seq
      return seq === undefined ? undefined : { type: 'pin', target: seq, on: true, back: [seq] }
    }
    case 'leave-out': {
      if (target === undefined) return undefined
      const calls = pick % 3 === 0 ? { calls: [`c${pick % 5}`] } : {}
      const range = { from: target.place, upTo: target.place + (words % 4), ...calls, tokens: words }
      return {
        type: 'leave-out',
        targets: [range],
        requestedBy: 'user',
        tokensBefore: 2,
        tokensAfter: 1,
        ...driftOf(pick),
      }
    }
    case 'bring-back': {
      const leaveOuts = log.flatMap(({ type, seq }) => (type === 'leave-out' ? [seq] : []))
      const one = leaveOuts[pick % Math.max(1, leaveOuts.length)]
      return one === undefined
        ? undefined
        : { type: 'put-back', leaveOuts: [one], tokensBefore: 1, tokensAfter: 2, ...driftOf(pick) }
    }
    case 'undo':
    case 'redo': {
      const of = undoTargets(log)[kind]
      return of === undefined ? undefined : { type: 'undo', of }
    }
    case 'repair':
      return repairDraft(items, { pending: 'allowed' })
    case 'attempt':
      return { type: 'attempt', outcome: pick % 3 === 0 ? 'cancelled' : 'failed', reason: 'no answer' }
    case 'settings':
      return { type: 'settings', title: text }
    case 'todo':
      return { type: 'todo', items: [{ text: 'one', status: 'pending' }] }
    case 'void':
      return { type: 'void', reason: 'empty', usage: { inputTokens: 3, outputTokens: 1 } }
  }
}

/** A message that a provider may have counted: about right, by another measure, or not at all as it can be. */
function reported(message: Message, log: readonly Entry[], pick: number): EntryDraft {
  const factor = [undefined, 0, 1, 1.3, 1.3, 0.7, 9][pick % 7]
  if (factor === undefined) return { type: 'message', message }
  const sent =
    JSON.stringify(
      viewOf(log)
        .items.slice()
        .map((item) => item.message),
    ).length / 4
  const usage = { inputTokens: Math.round(factor * (500 + sent)), outputTokens: Math.round((factor * pick) / 10) }
  return { type: 'message', message, usage, model: pick % 5 === 0 ? 'acme/small' : 'acme/large' }
}

function inputOf(pick: number): Record<string, string> {
  return pick % 2 === 0 ? { path: `src/part${pick % 7}.ts` } : { command: `npm run part${pick % 7} > out.txt` }
}

function targetsOf(items: readonly Item[], pick: number): number[] {
  return items.filter((_, i) => (i + pick) % 3 === 0).map(({ seq }) => seq)
}

function driftOf(pick: number) {
  return pick % 2 === 0 ? { drift: { factor: 1.1, model: 'acme/large' } } : {}
}

function compactionOf(items: readonly Item[], cut: number, pick: number): EntryDraft {
  const span = items.slice(0, cut)
  const first = span[0]
  const upTo = Math.max(...span.map((item) => item.place))
  const kept = span.filter((item, i) => item.kind === 'message' && (i + pick) % 5 === 0)
  const inTail = items.slice(cut).filter((item) => item.place <= upTo)
  const learned = [{ model: 'acme/large', factor: 1.2, reports: [1.2, 1.2, 1.2] }]
  return compaction({
    from: first?.kind === 'summary' ? first.from : (first?.place ?? 0),
    upTo,
    keep: [...kept, ...inTail].map((item) => item.seq),
    summary: `summary ${pick}`,
    indexDelta: { files: [{ path: `f${pick}`, access: 'read', seq: upTo }], users: [] },
    messages: cut,
    rung: pick % 2 === 0 ? 'cold' : 'digest',
    ...driftOf(pick),
    ...(pick % 3 === 0 ? { learned } : {}),
  })
}
