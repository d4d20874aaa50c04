import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openContext } from '../../../../src/engine/context/open-context.ts'
import { undoTargets } from '../../../../src/engine/context/view/activity.ts'
import { nextEntry } from '../../../../src/engine/context/view/log.ts'
import { replacedAt } from '../../../../src/engine/context/view/replaced-range.ts'
import { requestOf } from '../../../../src/engine/context/view/request.ts'
import { REDACTED } from '../../../../src/engine/context/view/rewrite-message.ts'
import { validate } from '../../../../src/engine/context/view/validate.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { legalCuts } from '../../../../src/engine/plan/cut-rules.ts'
import { keptItems } from '../../../../src/engine/plan/kept-items.ts'
import { leaveOutPlan } from '../../../../src/engine/plan/leave-out.ts'
import type { LeaveOutSelector } from '../../../../src/engine/plan/leave-out-targets.ts'
import { type Entry, type EntryDraft, type EntryOf, partsOf, type Seq, type View } from '../../../../src/model/types.ts'
import { compaction } from '../../../support/compaction.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

type Move = { readonly kind: (typeof KINDS)[number]; readonly pick: number; readonly length: number }

const KINDS = [
  ...(['turn', 'turn', 'leave-out', 'leave-out', 'tool', 'file', 'put-back', 'put-back'] as const),
  ...(['compact', 'pin', 'redact', 'undo', 'undo', 'redo'] as const),
] as const

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom(...KINDS),
    pick: fc.nat({ max: 1_000 }),
    length: fc.nat({ max: 12 }),
  }),
  { maxLength: 40, size: 'max' },
)

const numRuns = full ? 5_000 : 60

describe('the view with parts left out, put back, undone, redone, compacted, pinned and redacted in any order', () => {
  it('is what a small reference makes of the same log, and valid for every provider', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(moves, (list) => {
        let log = turn([], 0)
        for (const move of list) {
          const more = entriesOf(move, log)
          if (more.length > 0) seen.set(move.kind, (seen.get(move.kind) ?? 0) + 1)
          log = [...log, ...more]
          const view = viewOf(log)
          expect(shownIn(view)).toEqual(reference(log))
          expect(validate(requestOf(view).messages)).toEqual([])
        }
      }),
      { numRuns },
    )
    for (const kind of KINDS) expect(seen.get(kind), kind).toBeGreaterThan(0)
  })

  it('comes back byte for byte with an undo, and with a redo', () => {
    fc.assert(
      fc.property(moves, (list) => {
        let log = turn([], 0)
        const before = new Map<Seq, string[]>()
        for (const move of list.filter(({ kind }) => kind !== 'redact')) {
          for (const entry of entriesOf(move, log)) {
            const old = bytes(log)
            if (entry.type === 'message') for (const saved of before.values()) saved.push(JSON.stringify(entry.message))
            log = [...log, entry]
            // A pin is not a change that an undo takes back, but it is no part of the bytes either.
            if (entry.type === 'undo') expect(bytes(log)).toEqual(before.get(entry.of))
            before.set(entry.seq, old)
          }
        }
      }),
      { numRuns },
    )
  })
})

function bytes(log: readonly Entry[]): string[] {
  return viewOf(log)
    .items.slice()
    .map(({ message }) => JSON.stringify(message))
}

/** A turn with two calls at once, each with a long result. */
function turn(log: readonly Entry[], n: number): Entry[] {
  const id = log.length + 1
  const long = `line ${n} `.repeat(30 + (n % 40))
  const calls = [call(`a${id}`, 'read', { path: `src/f${n % 3}.ts` }), call(`b${id}`, 'bash', { command: `run ${n}` })]
  const messages = [
    user(`question ${id} ${long}`),
    {
      role: 'assistant' as const,
      content: calls.flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
    },
    result(`a${id}`, long, 'read'),
    result(`b${id}`, long, 'bash'),
    assistant(`answer ${id}`),
  ]
  const entries: Entry[] = []
  for (const message of messages) entries.push(nextEntry([...log, ...entries], { type: 'message', message }))
  return entries
}

function entriesOf({ kind, pick, length }: Move, log: readonly Entry[]): Entry[] {
  if (kind === 'turn') return turn(log, pick)
  const draft = draftOf(kind, pick, length, log)
  return draft === undefined ? [] : [nextEntry(log, draft)]
}

function draftOf(
  kind: Exclude<Move['kind'], 'turn'>,
  pick: number,
  length: number,
  log: readonly Entry[],
): EntryDraft | undefined {
  const view = viewOf(log)
  const items = view.items.slice()
  const seq = 1 + (pick % log.length)
  switch (kind) {
    case 'leave-out':
      return planned(log, { kind: 'range', from: seq, upTo: seq + length })
    case 'tool':
      return planned(log, { kind, tool: pick % 2 === 0 ? 'read' : 'bash' })
    case 'file':
      return planned(log, { kind, file: `src/f${pick % 3}.ts` })
    case 'put-back': {
      const all = log.filter(({ type }) => type === 'leave-out')
      const one = all[pick % Math.max(1, all.length)]
      return one && { type: 'put-back', leaveOuts: [one.seq], tokensBefore: 1, tokensAfter: 2 }
    }
    case 'compact': {
      const legal = legalCuts(view)
      const cuts = items.flatMap((_, index) => (index > 0 && legal(index) ? [index] : []))
      const cut = cuts[pick % Math.max(1, cuts.length)]
      if (cut === undefined) return undefined
      const { range } = replacedAt(view, cut, keptItems(view, cut, { keepLatestMessage: false }))
      return compaction({ ...range, summary: `summary ${pick}`, messages: cut })
    }
    case 'pin':
      return log[seq - 1]?.type === 'message' ? { type: 'pin', target: seq, on: pick % 2 === 0 } : undefined
    case 'redact':
      return log[seq - 1]?.type === 'message' ? { type: 'redact', target: seq } : undefined
    case 'undo':
    case 'redo': {
      const of = undoTargets(log)[kind]
      return of === undefined ? undefined : { type: 'undo', of }
    }
  }
}

function planned(log: readonly Entry[], selector: LeaveOutSelector): EntryDraft | undefined {
  const plan = leaveOutPlan(openContext(log), selector, { requestedBy: 'user' })
  return plan.ok ? plan.draft : undefined
}

/** The view as texts: a record by the words of its summary, everything else byte for byte. */
function shownIn(view: View): string[] {
  return view.items
    .slice()
    .map((item) => (item.kind === 'summary' ? `record: ${item.text.slice(0, 12)}` : JSON.stringify(item.message)))
}

/** One shown thing of the reference. */
type Shown = { readonly seq: Seq; readonly place: Seq; readonly text: string; readonly record?: true }

/**
 * The same view, made in the simplest way: the active entries are found by following the undos to their ends, compactions
 * replace places, redactions replace texts, and at last what is left out is replaced.
 */
function reference(log: readonly Entry[]): string[] {
  const isActive = (entry: Entry): boolean => !log.some((later) => takesBack(later, entry) && isActive(later))
  const active = log.filter(isActive)
  const redacted = new Set(log.flatMap((entry) => (entry.type === 'redact' ? [entry.target] : [])))
  const leaveOuts = active.filter((entry): entry is EntryOf<'leave-out'> => entry.type === 'leave-out')
  let shown: Shown[] = []
  for (const entry of active) {
    if (entry.type === 'message') shown.push({ seq: entry.seq, place: entry.seq, text: '' })
    if (entry.type === 'compaction') shown = withRecord(shown, entry, log)
  }
  const messages = new Map(log.flatMap((entry) => (entry.type === 'message' ? [[entry.seq, entry]] : [])))
  const lines: string[] = []
  let run:
    | { readonly key: string; readonly entry: EntryOf<'leave-out'>; readonly tokens: number; seqs: Seq[] }
    | undefined
  const close = () => {
    if (run !== undefined) lines.push(lineOf(run.entry, run.tokens, run.seqs))
    run = undefined
  }
  for (const one of shown) {
    const by = leaveOuts.findLast(({ targets }) => targets.some((target) => isWhole(target, one)))
    const target = by?.targets.find((each) => isWhole(each, one))
    const key = by === undefined || one.record ? '' : `${by.seq} ${target?.from}`
    if (run?.key !== key) close()
    if (one.record) lines.push(one.text)
    else if (by !== undefined && target !== undefined) {
      run ??= { key, entry: by, tokens: target.tokens, seqs: [] }
      run.seqs.push(one.seq)
    } else lines.push(messageText(messages.get(one.seq) as EntryOf<'message'>, redacted, leaveOuts))
  }
  close()
  return lines
}

function takesBack(later: Entry, entry: Entry): boolean {
  if (later.seq <= entry.seq) return false
  if (later.type === 'put-back') return entry.type === 'leave-out' && later.leaveOuts.includes(entry.seq)
  return later.type === 'undo' && later.of === entry.seq
}

function isWhole({ from, upTo, calls }: EntryOf<'leave-out'>['targets'][number], { place }: Shown): boolean {
  return calls === undefined && from <= place && place <= upTo
}

function withRecord(shown: readonly Shown[], entry: EntryOf<'compaction'>, log: readonly Entry[]): Shown[] {
  const isIn = ({ place }: Shown) => entry.from <= place && place <= entry.upTo
  const isKept = ({ seq, record }: Shown) => record === undefined && entry.keep.includes(seq)
  const covers = log.some(
    (later) =>
      later.type === 'redact' && later.seq > entry.seq && entry.from <= later.target && later.target <= entry.upTo,
  )
  const text = covers ? 'record: [this summar' : `record: ${entry.summary.slice(0, 12)}`
  return [
    ...shown.filter((one) => one.place < entry.from),
    { seq: entry.seq, place: entry.upTo, text, record: true },
    ...shown.filter((one) => isIn(one) && isKept(one)),
    ...shown.filter((one) => one.place > entry.upTo),
  ]
}

function lineOf({ requestedBy }: EntryOf<'leave-out'>, tokens: number, seqs: readonly Seq[]): string {
  const [first, last] = [seqs[0], seqs.at(-1)]
  const content =
    seqs.length === 1
      ? `[#${first} left out by the ${requestedBy}: 1 message, ${tokens} tokens; recall #${first} shows it]`
      : `[#${first}–#${last} left out by the ${requestedBy}: ${seqs.length} messages, ${tokens} tokens; recall #${first}-#${last} shows them]`
  return JSON.stringify({ role: 'user', content })
}

function messageText(
  { seq, message }: EntryOf<'message'>,
  redacted: ReadonlySet<Seq>,
  leaveOuts: readonly EntryOf<'leave-out'>[],
): string {
  const calls = leaveOuts.flatMap(({ targets }) =>
    targets.flatMap((one) => (one.from === seq ? (one.calls ?? []) : [])),
  )
  if (message.role !== 'tool') return JSON.stringify(redacted.has(seq) ? redactedMessage(message) : message)
  const content = partsOf(message).map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'text') return part
    const value = redacted.has(seq) ? REDACTED : part.output.value
    const note = `[left out by the user: ${value.length} characters, recall #${seq}]`
    const isNote = calls.includes(part.toolCallId) && note.length < value.length
    return { ...part, output: { ...part.output, value: isNote ? note : value } }
  })
  return JSON.stringify({ ...message, content })
}

function redactedMessage(message: EntryOf<'message'>['message']) {
  if (typeof message.content === 'string') return { role: message.role, content: REDACTED }
  const content = partsOf(message).map((part) =>
    part.type === 'tool-call' ? { ...part, input: { redacted: true } } : part,
  )
  return { role: message.role, content }
}
