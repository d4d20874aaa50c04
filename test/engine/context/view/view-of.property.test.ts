import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { undoTargets } from '../../../../src/engine/context/view/activity.ts'
import { appended, nextEntry } from '../../../../src/engine/context/view/log.ts'
import { extendView, viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { type Entry, type EntryDraft, type Item, messagesOf, type View } from '../../../../src/model/types.ts'
import { full } from '../../../support/full.ts'
import { assistant, call, result, user } from '../../../support/messages.ts'

type Move =
  | { kind: 'say'; pick: number }
  | { kind: 'compact' | 'mask' | 'squeeze' | 'pin' | 'put-back' | 'edit' | 'redact'; pick: number }
  | { kind: 'undo' | 'redo'; pick: number }

const pick = fc.nat({ max: 1_000 })
const moves = (kinds: readonly Move['kind'][]) =>
  fc.array(
    fc.record({ kind: fc.oneof(fc.constant('say' as const), fc.constantFrom(...kinds)), pick }) as fc.Arbitrary<Move>,
    {
      maxLength: 60,
    },
  )
const changes: readonly Move['kind'][] = [
  'compact',
  'mask',
  'squeeze',
  'pin',
  'put-back',
  'edit',
  'undo',
  'redo',
  'say',
]

const runs = full ? 10_000 : 300

describe('the view under changes in any order', () => {
  it('is the same folded whole and entry by entry', () => {
    fc.assert(
      fc.property(moves([...changes, 'redact']), (list) => {
        let log: Entry[] = []
        let view = viewOf(log)
        for (const move of list) {
          const draft = draftOf(move, log, view)
          if (draft === undefined) continue
          const entry = nextEntry(log, draft)
          log = [...log, entry]
          view = extendView(view, entry, log)
          expect(snapshot(view)).toEqual(snapshot(viewOf(log)))
        }
      }),
      { numRuns: runs },
    )
  })

  it('comes back byte for byte with an undo, plus what was said since, and again with a redo', () => {
    fc.assert(
      fc.property(moves(changes), (list) => {
        let log: Entry[] = []
        const before = new Map<number, string[]>()
        for (const move of list) {
          const draft = draftOf(move, log, viewOf(log))
          if (draft === undefined) continue
          const entry = nextEntry(log, draft)
          const old = texts(viewOf(log))
          for (const saved of before.values()) if (entry.type === 'message') saved.push(JSON.stringify(entry.message))
          log = [...log, entry]
          if (entry.type === 'undo') expect(texts(viewOf(log))).toEqual(before.get(entry.of))
          before.set(entry.seq, old)
        }
      }),
      { numRuns: runs },
    )
  })
})

describe('the fold', () => {
  it('leaves out an undone entry of any age, as a log from elsewhere may have it', () => {
    const log = appended(
      [user('a'), assistant('b'), user('c'), assistant('d')].map((message, i) =>
        nextOf(i, { type: 'message', message }),
      ),
      [compaction(1, 2, 'first'), compaction(1, 3, 'second'), { type: 'undo', of: 5 }],
    )
    const view = viewOf(log)
    expect(view.items.slice().map((item) => (item.kind === 'summary' ? item.text : item.message.content))).toEqual([
      'second',
      'd',
    ])
  })

  it('never undoes a redaction', () => {
    const said = nextOf(0, { type: 'message', message: user('my password is hunter2') })
    const log = appended(
      [said],
      [
        { type: 'redact', target: 1 },
        { type: 'undo', of: 2 },
      ],
    )
    expect(JSON.stringify(messagesOf(viewOf(log)))).not.toContain('hunter2')
  })

  it('shows no part of a redacted message in a summary of any age', () => {
    const log = appended(
      [user('my password is hunter2'), assistant('ok'), user('go on')].map((message, i) =>
        nextOf(i, { type: 'message', message }),
      ),
      [
        {
          ...compaction(1, 2, 'talked'),
          indexDelta: { files: [], users: [{ seq: 1, text: 'my password is hunter2' }] },
        },
        { type: 'redact', target: 1 },
      ],
    )
    expect(JSON.stringify(messagesOf(viewOf(log)))).not.toContain('hunter2')
  })
})

function nextOf(i: number, draft: EntryDraft): Entry {
  return { ...draft, id: `e${i + 1}`, seq: i + 1, at: 0 } as Entry
}

function texts(view: View): string[] {
  return messagesOf(view).map((message) => JSON.stringify(message))
}

function snapshot(view: View) {
  return { ...view, items: view.items.slice() }
}

function draftOf(move: Move, log: readonly Entry[], view: View): EntryDraft | undefined {
  const items = view.items.slice()
  const target = items[move.pick % Math.max(1, items.length)]
  switch (move.kind) {
    case 'say':
      return { type: 'message', message: said(move.pick), ...(move.pick % 3 === 0 ? { usage: USAGE } : {}) }
    case 'compact':
      return items.length < 2 ? undefined : compactionOf(items, 1 + (move.pick % (items.length - 1)), move.pick)
    case 'mask':
      return target && { type: 'mask', targets: [target.seq], tokensBefore: 1, tokensAfter: 1 }
    case 'squeeze':
      return target && { type: 'squeeze', squeezes: [{ target: target.seq, head: 20, tail: 20 }] }
    case 'pin':
      return target && { type: 'pin', target: target.seq, on: move.pick % 2 === 0 }
    case 'put-back': {
      const said = log.filter(({ type }) => type === 'message')
      const seq = said[move.pick % Math.max(1, said.length)]?.seq
      return seq === undefined ? undefined : { type: 'pin', target: seq, on: true, back: [seq] }
    }
    case 'redact':
      return target && { type: 'redact', target: target.seq }
    case 'edit': {
      const summary = items.find((item) => item.kind === 'summary')
      return summary && { type: 'edit', of: summary.seq, summary: `edited ${move.pick}` }
    }
    case 'undo':
    case 'redo': {
      const of = undoTargets(log)[move.kind]
      return of === undefined ? undefined : { type: 'undo', of }
    }
  }
}

const USAGE = { inputTokens: 100, outputTokens: 10 }

function said(n: number) {
  const long = 'word '.repeat(n)
  return (
    [
      user(`u${n} ${long}`),
      assistant(`a${n}`),
      call(`c${n}`, 'write', { path: 'x', content: long }),
      result(`c${n}`, long),
    ][n % 4] ?? user('')
  )
}

function compactionOf(items: readonly Item[], cut: number, n: number): EntryDraft {
  const span = items.slice(0, cut)
  const upTo = Math.max(...span.map((item) => item.place))
  const kept = span.filter((item, i) => item.kind === 'message' && (i + n) % 5 === 0)
  const inTail = items.slice(cut).filter((item) => item.place <= upTo)
  const first = span[0]
  return {
    ...compaction(first?.kind === 'summary' ? first.from : (first?.place ?? 0), upTo, `summary ${n}`),
    keep: [...kept, ...inTail].map((item) => item.seq),
    indexDelta: { files: [{ path: `f${n}`, access: 'read', seq: upTo }], users: [] },
  }
}

function compaction(from: number, upTo: number, summary: string) {
  return {
    type: 'compaction' as const,
    from,
    upTo,
    keep: [],
    summary,
    frame: 'pith' as const,
    indexDelta: { files: [], users: [] },
    messages: 1,
    reason: 'manual' as const,
    rung: 'cold' as const,
    tokensBefore: 1,
    tokensAfter: 1,
  }
}
