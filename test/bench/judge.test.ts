import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chosenCuts } from '../../bench/judge/chosen-cuts.ts'
import { type Context, contextsOf } from '../../bench/judge/contexts.ts'
import { continuation, type Judged } from '../../bench/judge/continuation.ts'
import { judge } from '../../bench/judge/judge.ts'
import { lookUpIn } from '../../bench/judge/look-up.ts'
import type { Player } from '../../bench/judge/player.ts'
import { playerOf, roomOf } from '../../bench/judge/player-of.ts'
import { marksReport } from '../../bench/judge/report.ts'
import { servePlayer } from '../../bench/judge/serve-player.ts'
import { worstText } from '../../bench/judge/worst-text.ts'
import { cutsOf } from '../../bench/retention/cuts.ts'
import { madeUpSession } from '../../bench/retention/made-up.ts'
import type { SessionQuestion } from '../../bench/retention/material.ts'
import { logOf, type Message } from '../../src/engine.ts'
import { bootstrap } from '../../src/eval/kit/bootstrap.ts'
import type { Ask } from '../../src/eval/kit/exchange.ts'
import { KIND_NAMES, QUESTION_KINDS } from '../../src/eval/kit/kinds.ts'
import { answerPartsIn, itemsIn, markIn } from '../../src/eval/kit/read-replies.ts'
import { seated } from '../../src/eval/kit/seats.ts'
import { sessionText } from '../../src/eval/kit/session-text.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-judge-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ASK: Ask = { about: 'x', system: 'be brief', prompt: 'hello' }

test('a folder plays a model: requests are files, the answer is read from another, and nothing is asked twice', async () => {
  const player = playerOf(`folder:${folder}`, { folder })
  const answer = player.ask(ASK)
  expect(readdirSync(folder)).toEqual(['0001.request.json'])
  writeFileSync(join(folder, '0001.answer.txt'), 'hi\n')
  expect(await answer).toBe('hi')
  writeFileSync(join(folder, 'player.txt'), 'a person\n')
  const again = playerOf(`folder:${folder}`, { folder })
  expect(again.name).toBe('a person')
  expect(await again.ask({ ...ASK, about: 'the same question under another name' })).toBe('hi')
  expect(readdirSync(folder).filter((name) => name.endsWith('.request.json'))).toHaveLength(1)
})

test('a server plays a model: prompt and answer are kept, and a second run asks nothing', async () => {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.end(JSON.stringify({ choices: [{ message: { content: 'served' } }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const spec = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#small`
  expect(await playerOf(spec, { folder }).ask(ASK)).toBe('served')
  expect(await playerOf(spec, { folder }).ask(ASK)).toBe('served')
  server.close()
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).toMatchObject({ model: 'small', messages: [{ content: 'be brief' }, { content: 'hello' }] })
  expect(readFileSync(join(folder, '0001.answer.txt'), 'utf8')).toBe('served')
})

test('a word that names no model is refused with what to write', () => {
  expect(() => playerOf('gpt', { folder })).toThrow('write URL#name')
})

test('a peer reaches the player of the model over HTTP, whole or as a stream', async () => {
  const server = await servePlayer({ name: 'x', ask: async ({ system, prompt }) => `${system} | ${prompt}` })
  const send = async (stream: boolean) => {
    const messages = [
      { role: 'system', content: 'sum up' },
      { role: 'user', content: [{ type: 'text', text: 'all this' }] },
    ]
    const response = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ stream, messages }),
    })
    return response.text()
  }
  expect(JSON.parse(await send(false)).choices[0].message.content).toBe('sum up | all this')
  expect(await send(true)).toContain('"content":"sum up | all this"')
  server.close()
})

test('a room is a folder of its own, and its player never sees two contexts of a session', async () => {
  writeFileSync(join(folder, 'player.txt'), 'a person in a room\n')
  const seat = () => roomOf(`folder:${folder}`, 'seat-01', { folder })
  const first = seat()
  const answer = first.ask({ ...ASK, session: 'one' })
  writeFileSync(join(folder, 'seat-01', '0001.answer.txt'), 'hi')
  expect(await answer).toBe('hi')
  expect(first.name).toBe('a person in a room')
  await expect(seat().ask({ ...ASK, prompt: 'another context', session: 'one' })).rejects.toThrow('must not see two')
  expect(await seat().ask({ ...ASK, session: 'one' })).toBe('hi')
  void seat()
    .ask({ ...ASK, prompt: 'of another session', session: 'two' })
    .catch(() => undefined)
  expect(readdirSync(join(folder, 'seat-01')).filter((name) => name.endsWith('.request.json'))).toHaveLength(2)
  writeFileSync(join(folder, 'seat-01', '0002.answer.txt'), 'done')
})

test('questions, answers and marks are read from what models write around them', () => {
  const paper = { changed: { question: 'What of a.ts?', truth: 'it is strict' }, why: { question: 'Why?' }, mood: {} }
  expect(itemsIn(`Here:\n\`\`\`json\n${JSON.stringify(paper)}\n\`\`\``)).toEqual([
    { kind: 'changed', question: 'What of a.ts?', truth: 'it is strict' },
  ])
  const parts = answerPartsIn('Sure.\n<changed>strict</changed>\n<how>npm test')
  expect(parts).toMatchObject({ changed: 'strict', how: 'npm test', why: '' })
  const text = `\`\`\`json\n${JSON.stringify({ A: { mark: 4, wrong: 'no path' }, B: { mark: 9 } })}\n\`\`\``
  expect(markIn(text, 'A')).toEqual({ mark: 4, wrong: 'no path' })
  expect(markIn(text, 'B')).toBeUndefined()
  expect(markIn('no', 'A')).toBeUndefined()
})

test('a bootstrapped interval holds the mean, is the same every time, and draws the values of a cut together', () => {
  const values = [1, 2, 3, 4, 5, 5, 5].map((value) => [value])
  const interval = bootstrap(values)
  expect(interval).toEqual(bootstrap(values))
  expect(interval?.low).toBeLessThan(interval?.mean ?? 0)
  expect(interval?.high).toBeGreaterThan(interval?.mean ?? 0)
  expect(bootstrap([[3], [3, 3]])).toEqual({ mean: 3, low: 3, high: 3 })
  expect(
    bootstrap([
      [1, 1, 1, 1],
      [5, 5, 5, 5],
    ]),
  ).toMatchObject({ low: 1, high: 5 })
  expect(bootstrap([[]])).toBeUndefined()
})

test('no seat has two tasks of a session, and no seat has the same kind of context in each', () => {
  const tasks = ['one', 'two', 'three'].flatMap((session) => ['a', 'b', 'c', 'd'].map((name) => ({ session, name })))
  const given = Map.groupBy(seated(tasks), ({ seat }) => seat)
  expect(given.size).toBe(4)
  for (const all of given.values()) {
    expect(new Set(all.map(({ task }) => task.session)).size).toBe(all.length)
    expect(new Set(all.map(({ task }) => task.name)).size).toBe(all.length)
  }
})

const toy = (session: string, agent: string, name: string, recorded?: string, tokens = 50_000): SessionQuestion => {
  const messages: Message[] = [
    { role: 'user', content: `Work on ${name}.` },
    { role: 'assistant', content: 'Done.' },
  ]
  const span = messages.map((message, i) => ({ seq: i + 1, message }))
  const cut = { name, log: logOf(messages), before: messages, span, after: [], tokens }
  return { cut: recorded === undefined ? cut : { ...cut, recorded }, facts: [], source: '', session, agent }
}

test('one cut a session is judged: those with recorded summaries first, then agents in turn', () => {
  const all = [
    toy('pi-1', 'pi', 'pi-1@50%'),
    toy('pi-2', 'pi', 'pi-2@50%'),
    toy('codex-1', 'codex', 'codex-1@50%'),
    toy('codex-1', 'codex', 'codex-1@80%', undefined, 90_000),
    toy('claude-1', 'claude-code', 'claude-1@80%', undefined, 99_000),
    toy('claude-1', 'claude-code', 'claude-1:1', 'summary'),
    toy('claude-1', 'claude-code', 'claude-1:2', 'summary'),
    toy('short', 'pi', 'short@50%', undefined, 9_000),
  ]
  const names = chosenCuts(all, 12).map(({ cut }) => cut.name)
  expect(names).toEqual(['claude-1:1', 'pi-1@50%', 'codex-1@80%', 'pi-2@50%'])
  expect(chosenCuts(all, 3)).toHaveLength(3)
})

test('the cuts that somebody names are judged and no others, in that order; an unknown name ends the run', () => {
  const all = [toy('pi-1', 'pi', 'pi-1@50%'), toy('pi-1', 'pi', 'pi-1@80%'), toy('pi-2', 'pi', 'pi-2@50%')]
  expect(chosenCuts(all, 12, ['pi-2@50%', 'pi-1@50%']).map(({ cut }) => cut.name)).toEqual(['pi-2@50%', 'pi-1@50%'])
  expect(() => chosenCuts(all, 12, ['pi-3:1'])).toThrow('There is no cut pi-3:1. There are: pi-1@50%, ')
})

/** Two sessions, three cuts, two contexts each: the one that is called good has the answer. */
async function judgedToys() {
  const order: string[] = []
  const seen = new Map<number, string[]>()
  const player = (name: string, answer: (ask: Ask) => string): Player => ({
    name,
    ask: async (ask) => {
      order.push(name)
      return answer(ask)
    },
  })
  const paper = Object.fromEntries(
    KIND_NAMES.map((kind) => [kind, { question: `Which ${kind}?`, truth: `the ${kind} of it` }]),
  )
  const prompts: string[] = []
  const cuts = [toy('one', 'pi', 'one:1'), toy('one', 'pi', 'one:2'), toy('two', 'codex', 'two:1')]
  const contexts = async (): Promise<Context[]> => {
    order.push('context')
    return [
      { name: 'Pith: record', sizes: ['users'], tokens: 100, text: 'GOOD' },
      { name: 'recorded summary', sizes: ['users', 'equal'], tokens: 50, text: 'POOR' },
    ]
  }
  const players = {
    questions: player('questions', () => JSON.stringify(paper)),
    seat: (number: number) =>
      player('answers', ({ prompt, session = '' }) => {
        seen.set(number, [...(seen.get(number) ?? []), session])
        const words = prompt.includes('GOOD') ? 'the whole of it' : 'not known'
        return KIND_NAMES.map((kind) => `<${kind}>${words}</${kind}>`).join('\n')
      }),
    judge: player('judge', ({ prompt }) => {
      prompts.push(prompt)
      const found = [...prompt.matchAll(/<answer ([A-Z])>\n([\s\S]*?)\n<\/answer/g)]
      const marks = found.map(([, letter, text]) => [
        letter,
        { mark: text === 'not known' ? 1 : 5, wrong: 'all of it' },
      ])
      return JSON.stringify(Object.fromEntries(marks))
    }),
  }
  return { judged: await continuation(cuts, players, contexts), order, seen, prompts }
}

test('all questions are written before a context is made, and no one answers from two contexts of a session', async () => {
  const { order, seen, judged } = await judgedToys()
  expect(order.slice(0, 4)).toEqual(['questions', 'questions', 'questions', 'context'])
  for (const sessions of seen.values()) expect(new Set(sessions).size).toBe(sessions.length)
  expect(seen.size).toBe(4)
  expect(judged).toHaveLength(3 * 2 * KIND_NAMES.length)
})

test('the judge sees letters in another order each time and no name of a context; the marks go back to it', async () => {
  const { prompts, judged } = await judgedToys()
  expect(prompts.some((prompt) => /Pith|recorded|GOOD|POOR/.test(prompt))).toBe(false)
  const firsts = new Set(prompts.map((prompt) => prompt.includes('<answer A>\nnot known')))
  expect(firsts.size).toBe(2)
  const marks = (name: string) => new Set(judged.filter(({ context }) => context.name === name).map(({ mark }) => mark))
  expect([...marks('Pith: record')]).toEqual([5])
  expect([...marks('recorded summary')]).toEqual([1])
})

test('a player who may recall calls it before the answer, on a seat after the others', async () => {
  const asked: string[] = []
  const cut = cutsOf(madeUpSession(1))[0] ?? toy('one', 'pi', 'one:1').cut
  const [, second] = cut.log.filter((entry) => entry.type === 'message')
  const answers = ['<recall>\n- #2\n</recall>', '<recall>no such words</recall>', '<changed>all</changed>']
  const players = {
    questions: { name: 'q', ask: async () => '{"changed": {"question": "What?", "truth": "all"}}' },
    seat: (number: number): Player => ({
      name: 's',
      ask: async ({ about, prompt }) => {
        asked.push(`${number} ${about}`)
        if (asked.length > 2) expect(prompt).toContain('<recalled call="#2">\n#2 (')
        if (asked.length > 3) expect(prompt).toContain('Nothing was found for `no such words` in 239 entries.')
        return number === 1 ? '<changed>none</changed>' : (answers.shift() ?? '')
      },
    }),
    judge: { name: 'j', ask: async () => '{"A": {"mark": 5, "wrong": ""}, "B": {"mark": 5, "wrong": ""}}' },
  }
  const context: Context = { name: 'Pith: record and tail', sizes: ['users'], tokens: 1, text: 'all that is left' }
  const judged = await continuation([{ ...toy('one', 'pi', 'x'), cut }], players, async () => [
    context,
    { ...context, name: 'Pith: record, tail and recall', lookUp: lookUpIn(cut.log) },
  ])
  expect(second?.seq).toBe(2)
  expect(asked).toEqual([`1 answers at ${cut.name}`, ...[1, 2, 3].map(() => `2 answers at ${cut.name}`)])
  const recalled = new Map(judged.map(({ context: { name }, recalled: tokens }) => [name, tokens]))
  expect(recalled).toEqual(
    new Map([
      ['Pith: record, tail and recall', expect.any(Number)],
      [context.name, undefined],
    ]),
  )
})

test('the report has marks by kind with intervals at both sizes, paired differences, and no words of a judge', async () => {
  const { judged } = await judgedToys()
  const [first] = judged
  const unread: Judged[] = first === undefined ? [] : [{ ...first, mark: undefined, kind: 'how' }]
  const report = marksReport([...judged, ...unread], [])
  const [users, differences, equal] = report.tables
  expect(users?.columns).toEqual(expect.arrayContaining(Object.keys(QUESTION_KINDS)))
  expect(users?.rows.map((row) => row.slice(0, 7))).toEqual([
    ['Pith: record', 100, undefined, 24, 5, '5.00 to 5.00', '5.00 (5.00 to 5.00)'],
    ['recorded summary', 50, undefined, 24, 1, '1.00 to 1.00', '1.00 (1.00 to 1.00)'],
  ])
  expect(differences?.rows).toEqual([['Pith: record', 'recorded summary', 24, 4, '4.00 to 4.00']])
  expect(equal?.rows.map(([name]) => name)).toEqual(['recorded summary'])
  expect(report.notes).toContain('1 marks could not be read and are left out.')
  expect(JSON.stringify(report)).not.toContain('all of it')
  expect(worstText(judged)).toContain('## recorded summary (users, equal)\n\n- 1 changed at one:1: all of it')
})

test('the contexts of a cut: Pith without and with a model, with and without tail, the recorded summary, the script', async () => {
  const [cut] = cutsOf(madeUpSession(1))
  if (cut === undefined) throw new Error('the made-up session has a cut')
  const recorded = 'The agent handles cases of the parser. '.repeat(200)
  const summary =
    '## Goal\nHandle the cases of loadCursor in src/search/load-cursor.ts, of resolvePage in src/session/resolve-page.ts, of verifyQueue, flushDraft and countInvoice.\n\n## Next\nGo on with case 666.'
  const contexts = await contextsOf({ ...cut, recorded }, { model: { name: 'x', ask: async () => summary } })
  expect(contexts.map(({ name, sizes }) => `${name} (${sizes.join()})`).toSorted()).toEqual([
    'Pith with a model: record (users)',
    'Pith with a model: record and tail (users)',
    'Pith with a model: record, tail and recall (users)',
    'Pith: record (equal)',
    'Pith: record (users)',
    'Pith: record and tail (equal)',
    'Pith: record and tail (users)',
    'Pith: record, tail and recall (users)',
    'recorded summary (users,equal)',
    'ten-line script (equal)',
    'ten-line script (users)',
  ])
  const equal = contexts.find(({ name, sizes }) => name === 'Pith: record' && sizes.includes('equal'))
  expect(equal?.text.length).toBeLessThanOrEqual(recorded.length + 10)
  expect(contexts.find(({ name }) => name === 'Pith with a model: record')?.text).toContain('Go on with case 666.')
  const refused = await contextsOf({ ...cut, recorded }, { model: { name: 'x', ask: async () => 'Nothing much.' } })
  expect(refused.find(({ name }) => name === 'Pith with a model: record')?.refusal).toContain('too short')
})

test('the writer of the questions gets the session in order within 300,000 characters, and what followed', () => {
  const long = Array.from({ length: 200 }, (_, i) => ({
    seq: i + 1,
    message: { role: 'user' as const, content: `Part ${i}. ${'x'.repeat(4_000)}` },
  }))
  const text = sessionText({ span: long, after: [{ role: 'assistant', content: 'Then it went on.' }] })
  expect(text.length).toBeLessThan(310_000)
  expect(text.indexOf('Part 0.')).toBeLessThan(text.indexOf('Part 199.'))
  expect(text).toContain('<afterwards>\n[1 assistant]\nThen it went on.')
})

test('without a model there is nothing to judge, and the report says what to name', async () => {
  const result = await judge.run({ quick: true, transcripts: [], scratch: folder, progress: () => {} })
  expect(result.notes?.[0]).toContain('--model')
})
