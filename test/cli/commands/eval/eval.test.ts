import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { KIND_NAMES } from '../../../../src/eval/kit/kinds.ts'
import { pith } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

const SMALL = ['--made', '1', '--window', '6k', '--target', '2k', '--rounds', '2', '--no-baselines']
const EXAMPLES = resolve(import.meta.dirname, '../../../../examples/eval')
const TRUNCATE = join(EXAMPLES, 'truncate.ts')

describe('pith eval', () => {
  it('measures a module and a program, writes the same report twice, and keeps times apart', async () => {
    const user = configFolders()
    writeFileSync(
      join(user.workspace, 'tail.mjs'),
      `let text = ''
       for await (const piece of process.stdin) text += piece
       const { messages } = JSON.parse(text)
       console.log(JSON.stringify(messages.filter(({ role }) => role === 'user').slice(-3)))`,
    )
    const program = `${process.execPath} tail.mjs`
    const args = ['eval', ...SMALL, '--compactor', TRUNCATE, '--compactor', program]
    const first = await pith(user, [...args, '--out', 'one'])
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('report.html') })
    expect(first.stdout).toContain('truncate')
    await pith(user, [...args, '--out', 'two'])
    const read = (folder: string, file: string) => readFileSync(join(user.workspace, folder, file), 'utf8')
    for (const file of ['report.json', 'report.html']) expect(read('two', file)).toBe(read('one', file))
    expect(JSON.parse(read('one', 'report.json')).compactors).toMatchObject([{ failures: [] }, { failures: [] }])
    expect(Object.keys(JSON.parse(read('one', 'times.json')))).toEqual(['truncate', program])
  })

  it('ends with 1 if a gate is broken', async () => {
    const user = configFolders()
    const args = ['eval', ...SMALL, '--compactor', TRUNCATE]
    const broken = await pith(user, [...args, '--min', 'rules=1', '--max-false', '0.01'])
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringMatching(/^truncate: FAILED: rules is 0/m) })
    expect(await pith(user, [...args, '--min', 'fits=1'])).toMatchObject({ code: 0, stderr: 'truncate: passed\n' })
  })

  it.each([
    [['--compactor', './none.ts'], 'pith: --compactor: there is no file ./none.ts'],
    [['--sessions', 'nowhere'], 'pith: --sessions: there is no folder nowhere'],
    [['--min', 'rule=1'], 'pith: --min: there is no figure rule, did you mean rules?'],
    [['--target', '64k'], 'pith: --target must be smaller than --window'],
    [['--compactor', 'http://127.0.0.1:1/', '--sessions', '.'], 'add --yes to send recorded sessions'],
  ])('says in one line what is wrong with %j', async (args, line) => {
    const { code, stderr } = await pith(configFolders(), ['eval', ...args])
    expect(code).not.toBe(0)
    expect(stderr.trim().split('\n').at(-1)).toContain(line)
  })

  it('sends the messages to an address after a warning', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('{"messages":[{"role":"user","content":"short"}]}'))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((done) => server.once('listening', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { code, stderr, stdout } = await pith(configFolders(), ['eval', ...SMALL, '--compactor', url, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: `pith: warning: made-up sessions will be sent to ${url}\n` })
    expect(JSON.parse(stdout).compactors[0].failures).toEqual([])
  })

  it('takes a blind test from questions to marks by two judges', async () => {
    const user = configFolders()
    const args = ['eval', 'readers', 'kit', ...SMALL, '--compactor', 'pith', '--compactor', TRUNCATE, '--with-recall']
    const kit = join(user.workspace, 'kit')
    expect((await pith(user, args)).stdout).toContain('waiting for questions')
    expect(readdirSync(kit)).toEqual(['questions'])
    answerAll(kit, () =>
      JSON.stringify(Object.fromEntries(KIND_NAMES.map((kind) => [kind, { question: `${kind}?`, truth: 'yes' }]))),
    )
    for (const round of [1, 2, 3]) {
      expect((await pith(user, args)).stdout, String(round)).toContain('waiting for answers')
      answerAll(kit, (prompt, system) =>
        system.includes('<recall>')
          ? '<recall>\nrules\n</recall>'
          : `<user>${prompt.includes('<recalled') ? 'much' : 'little'}</user>`,
      )
    }
    expect((await pith(user, args)).stdout).toContain('waiting for marks')
    expect(readdirSync(kit).toSorted()).toEqual([
      'contexts.json',
      'judge-1',
      'judge-2',
      'questions',
      'seat-01',
      'seat-02',
    ])
    answerAll(kit, (prompt) =>
      JSON.stringify(
        Object.fromEntries(
          [...prompt.matchAll(/<answer (\w+)>\n(\w+)/g)].map(([, letter, word]) => [
            letter,
            { mark: word === 'much' ? 5 : 1 },
          ]),
        ),
      ),
    )
    const { stdout, code } = await pith(user, args)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^pith − truncate: \d/m)
    expect(stdout).toContain('two judges of one answer are 0.00 apart')
  })
})

function answerAll(kit: string, answer: (prompt: string, system: string) => string): void {
  for (const file of readdirSync(kit, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.request.json'),
  )) {
    const path = join(kit, file.replace('.request.json', '.answer.txt'))
    if (existsSync(path)) continue
    const { prompt, system } = JSON.parse(readFileSync(join(kit, file), 'utf8'))
    writeFileSync(path, answer(prompt, system))
  }
}

describe('the example compactors', () => {
  it('have at most thirty lines, and say how to run them', () => {
    for (const file of readdirSync(EXAMPLES)) {
      const text = readFileSync(join(EXAMPLES, file), 'utf8')
      expect(text.trimEnd().split('\n').length, file).toBeLessThanOrEqual(30)
      expect(text, file).toMatch(/pith eval --compactor \S|node answer-folder\.ts/)
    }
  })
})
