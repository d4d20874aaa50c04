import fc from 'fast-check'
import MiniSearch from 'minisearch'
import { describe, expect, it } from 'vitest'
import { logOf } from '../../src/engine/context/view/log.ts'
import type { Entry, Message } from '../../src/model/types.ts'
import { searchLog } from '../../src/search/hits.ts'
import { full } from '../support/full.ts'
import { assistant, call, result, user } from '../support/messages.ts'

async function found(messages: readonly Message[], typed: string, limit = 20) {
  return searchLog(logOf(messages), typed, { limit })
}

const seqsOf = async (messages: readonly Message[], typed: string) =>
  (await found(messages, typed)).hits.map(({ seq }) => seq)

/** Messages that share no exchange: others are between them. */
function apart(...messages: readonly Message[]): Message[] {
  return messages.flatMap((message) => [message, ...Array.from({ length: 4 }, () => assistant('Well.'))])
}

describe('a search', () => {
  it('finds words in any order, the entry with all of them first', async () => {
    const messages = apart(
      user('the limit is low'),
      user('raise the limit of parallel uploads'),
      user('parallel lines'),
    )
    expect((await seqsOf(messages, 'parallel limit'))[0]).toBe(6)
    expect(await seqsOf(messages, 'limit parallel')).toEqual(await seqsOf(messages, 'parallel limit'))
  })

  it('of a quoted phrase finds that phrase only, in any case', async () => {
    const messages = apart(user('Never change the API'), user('never ever change it'))
    expect(await seqsOf(messages, '"NEVER change"')).toEqual([1])
    expect(await seqsOf(messages, '"ver change the"')).toEqual([1])
    expect(await seqsOf(messages, '"never change" missing')).toEqual([1])
  })

  it.each(['maxParallel', 'max_parallel', 'max-parallel', 'max parallel', 'MAX_PARALLEL', 'maxparallel'])(
    'of %s finds the name in every spelling',
    async (typed) => {
      const names = ['let maxParallel = 4', 'max_parallel: 4', '--max-parallel 4', 'at most max parallel 4']
      const messages = apart(...names.map(user), user('something else'))
      const expected = typed === 'maxparallel' ? [1, 6, 11] : [1, 6, 11, 16]
      expect((await seqsOf(messages, typed)).toSorted((a, b) => a - b)).toEqual(expected)
    },
  )

  it('finds paths by their last parts, codes, versions and numbers exactly', async () => {
    const messages = apart(
      user('see src/store/search-rows.ts'),
      user('error TS2345'),
      user('use 1.22.3'),
      user('use 1.22.4'),
      user('port 4711'),
    )
    expect(await seqsOf(messages, 'search-rows.ts')).toEqual([1])
    expect(await seqsOf(messages, 'ts2345')).toEqual([6])
    expect(await seqsOf(messages, '1.22.3')).toEqual([11])
    expect(await seqsOf(messages, '4711')).toEqual([21])
  })

  it('finds words in other forms, inside of German compounds, and Chinese by pairs', async () => {
    const messages = apart(user('it retries failed uploads'), user('der Mietvertrag ist da'), user('修改重试逻辑'))
    expect(await seqsOf(messages, 'retry upload')).toEqual([1])
    expect(await seqsOf(messages, 'vertrag')).toEqual([6])
    expect(await seqsOf(messages, '重试')).toEqual([11])
  })

  it('ranks the words of the user and an edit above a file that merely has them', async () => {
    const file = `${'import a\n'.repeat(3)}retry backoff\n`
    const messages = [
      ...apart(call('r', 'read', { path: 'a.ts' }), result('r', file, 'read')),
      ...apart(user('retry with backoff, please')),
      ...apart(call('e', 'edit', { path: 'b.ts', oldText: 'x', newText: 'retry backoff' })),
    ]
    const log = logOf(messages)
    const { hits } = await searchLog(log, 'retry backoff', { limit: 3 })
    expect(hits[0]).toMatchObject({ role: 'user' })
    expect(hits.map(({ tool }) => tool)).toEqual([undefined, 'edit', 'read'])
  })

  it('is narrowed by filters', async () => {
    const messages = [
      ...apart(user('the upload hangs')),
      ...apart(call('b', 'bash', { command: 'run upload' }), result('b', 'Error: upload failed\nexit code: 1', 'bash')),
      ...apart(call('e', 'edit', { path: 'src/upload.ts', oldText: 'a', newText: 'upload' })),
    ]
    expect(await seqsOf(messages, 'upload role:user')).toEqual([1])
    expect(await seqsOf(messages, 'upload tool:bash role:tool')).toEqual([11])
    expect(await seqsOf(messages, 'upload is:error')).toEqual([11])
    expect(await seqsOf(messages, 'upload is:edit')).toEqual([16])
    expect(await seqsOf(messages, 'upload file:upload.ts')).toEqual([16])
    expect(await seqsOf(messages, 'upload file:src/upload.ts')).toEqual([16])
    expect(await seqsOf(messages, 'upload file:lib/upload.ts')).toEqual([])
    expect(await seqsOf(messages, 'role:user')).toEqual([1])
  })

  it('finds what was read of a file by its folder, too', async () => {
    const [asked, answer] = logOf([
      call('r', 'read', { path: 'src/upload.ts' }),
      result('r', 'const limit = 4', 'read'),
    ])
    const files = [{ path: '/repo/src/upload.ts', hash: 'a' }]
    const log = [asked, { ...answer, files }] as Entry[]
    const seqs = async (typed: string) => (await searchLog(log, typed, { limit: 9 })).hits.map(({ seq }) => seq)
    expect(await seqs('limit file:src/upload.ts')).toEqual([2])
    expect(await seqs('limit file:web/upload.ts')).toEqual([])
  })

  it('gives every hit on one page, however large the pages are', async () => {
    // The words of the first ones are far apart, those of the others close together in a longer text.
    const far = Array.from({ length: 60 }, () => 'parallel\nx1\nx2\nx3\nx4\nlimit')
    const close = Array.from({ length: 30 }, () => `parallel limit ${'word '.repeat(6)}`)
    const texts = [...far, ...close]
    const log = logOf(texts.map(user)).map((entry): Entry => ({ ...entry, seq: entry.seq * 10 }))
    const seqs = async (limit: number, offset: number) =>
      (await searchLog(log, 'parallel limit', { limit, offset })).hits.map(({ seq }) => seq)
    const pages = await Promise.all([0, 20, 40, 60, 80].map((offset) => seqs(20, offset)))
    expect(pages.flat()).toEqual(await seqs(90, 0))
    expect(new Set(pages.flat()).size).toBe(90)
  })

  it('is narrowed by time', async () => {
    const log = logOf([user('upload one'), user('x'), user('y'), user('z'), user('upload two')]).map(
      (entry, day): Entry => ({ ...entry, at: Date.UTC(2026, 0, 1 + day) }),
    )
    const seqs = async (typed: string) => (await searchLog(log, typed, { limit: 9 })).hits.map(({ seq }) => seq)
    expect(await seqs('upload before:2026-01-03')).toEqual([1])
    expect(await seqs('upload after:2026-01-03')).toEqual([5])
  })

  it('shows the lines around the match, and one hit of an exchange with its neighbours', async () => {
    const output = [...Array.from({ length: 40 }, (_, i) => `line ${i}`), 'the socket', 'hangs', 'up', 'x'].join('\n')
    const messages = [user('why?'), call('b', 'bash', { command: 'socket test' }), result('b', output, 'bash')]
    const { hits, total } = await found(messages, 'socket hangs')
    expect(hits).toMatchObject([{ seq: 3, tool: 'bash', turn: 1, snippet: 'the socket\nhangs\nup', also: [2] }])
    expect(total).toBe(2)
  })

  it('without a hit names words that do occur, and how much was searched', async () => {
    const none = await found([user('raise the parallel limit'), assistant('done')], 'paralel')
    expect(none).toMatchObject({ hits: [], total: 0, searched: 2, nearest: ['parallel'] })
  })

  it.each(['', '   ', '"', '*', 'NEAR(', '\0', '\ud800', 'the', 'a'.repeat(10_000), 'x '.repeat(10_000)])(
    'of any text has an answer: %.20j',
    async (typed) => {
      expect((await found([user('some words'), assistant('more')], typed)).searched).toBe(2)
    },
  )

  it('finds every phrase of three characters or more that an entry has', async () => {
    const words = fc.constantFrom(
      'retry',
      'maxParallel',
      'the',
      'src/a-b.ts',
      '1.22.3',
      '重试逻辑',
      'Größe',
      '(x)',
      '=>',
      'a',
      '_b',
      'it is',
      'v1.2.3',
      ':V20.1',
      '01-02-03-04-05-06-07-08-',
      '2026-01-31T12:00',
      '1e5',
      '0xFF',
      'あーーーー',
      '1.2.\ufffd',
      '⒈',
    )
    const text = fc
      .tuple(fc.array(words, { minLength: 1, maxLength: 12 }), fc.constantFrom(' ', ' ', '', '-', '.'))
      .map(([all, between]) => all.join(between))
    const texts = fc.array(text, { minLength: 1, maxLength: 6 })
    const typed = fc.constantFrom<(phrase: string) => string>(
      (phrase) => phrase,
      (phrase) => phrase.toUpperCase(),
      (phrase) => phrase.replace(/../gsu, ([a = '', b = '']) => a.toLowerCase() + b.toUpperCase()),
    )
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.nat(), typed, async (all, at, size, inCase) => {
        const from = at % (all[0]?.length ?? 1)
        const phrase = inCase(all[0]?.slice(from, from + 3 + (size % 20)) ?? '').trim()
        if (phrase.length < 3 || phrase.includes('"')) return
        const { total } = await found(all.map(user), `"${phrase}"`, 50)
        const expected = all.filter((one) => one.toLowerCase().includes(phrase.toLowerCase())).length
        expect(total, JSON.stringify({ all, phrase })).toBe(expected)
      }),
      { numRuns: full ? 20_000 : 300 },
    )
  })

  it('finds the entries that a known search engine finds', async () => {
    const names = ['upload', 'parallel', 'limit', 'retry', 'socket', 'memory', 'queue', 'worker', 'cache', 'token']
    const text = fc.array(fc.constantFrom(...names), { minLength: 3, maxLength: 30 }).map((all) => all.join(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 5, maxLength: 20 }),
        fc.subarray(names, { minLength: 1 }),
        async (texts, query) => {
          const engine = new MiniSearch({ fields: ['text'] })
          engine.addAll(texts.map((one, id) => ({ id: id + 1, text: one })))
          const known = engine.search(query.join(' ')).map(({ id }) => Number(id))
          const log = logOf(texts.map(user)).map((entry): Entry => ({ ...entry, seq: entry.seq * 10 }))
          const { hits, total } = await searchLog(log, query.join(' '), { limit: 50 })
          expect(total).toBe(known.length)
          expect(hits.map(({ seq }) => seq / 10).toSorted((a, b) => a - b)).toEqual(known.toSorted((a, b) => a - b))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('has hits on every page until all exchanges were shown, also if each has many entries', async () => {
    const log = logOf(Array.from({ length: 400 }, (_, i) => assistant(`The heron number ${i}`)))
    const seen: number[] = []
    for (let offset = 0; seen.length < log.length; offset += 10) {
      const { hits, total } = await searchLog(log, 'heron', { limit: 10, offset })
      expect(total).toBe(log.length)
      expect(hits).toHaveLength(10)
      seen.push(...hits.flatMap(({ seq, also }) => [seq, ...also]))
    }
    expect(new Set(seen).size).toBe(log.length)
  })

  it('of a sign counts only the entries that have it and those that were read', async () => {
    const texts = Array.from({ length: 2_100 }, (_, i) => (i % 700 === 699 ? 'Done 🎉' : 'Well'))
    expect(await found(texts.map(user), '🎉')).toMatchObject({ total: 3, searched: 2_000 })
    expect(await found(texts.map(user), 'the of')).toMatchObject({ hits: [], total: 0, searched: 2_000 })
    expect(await found(texts.map(user), '"done 🎉"')).toMatchObject({ total: 3, searched: 2_100 })
  })

  it('without a hit names words of the entries that its filters leave', async () => {
    const messages = apart(call('a', 'edit', { path: 'a.ts', newText: 'the limit' }), user('the timit and the lemit'))
    expect(await found(messages, 'lamit tool:bash')).toMatchObject({ searched: 0, nearest: [] })
    expect(await found(messages, 'timit file:a.ts')).toMatchObject({ hits: [], nearest: ['limit'] })
  })
})
