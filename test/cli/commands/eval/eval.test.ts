import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pith, pithProcess } from '../../../support/cli.ts'
import { configFolders } from '../../../support/config-folders.ts'

const SMALL = ['--made', '1', '--window', '6k', '--target', '2k', '--rounds', '2', '--no-baselines']
const EXAMPLES = resolve(import.meta.dirname, '../../../../examples/eval')
const TRUNCATE = join(EXAMPLES, 'truncate.ts')

describe('pith eval', () => {
  it('ends with 1 if a gate is broken', async () => {
    const user = configFolders()
    const args = ['eval', ...SMALL, '--compactor', TRUNCATE]
    const broken = await pith(user, [...args, '--min', 'rules=1', '--max-false', '0.01'])
    expect(broken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^truncate: FAILED: rules is 0.* after compaction \d/m),
    })
    const passes = await pith(user, [...args, '--min', 'fits=1', '--max', 'tokens=6000'])
    expect(passes).toMatchObject({ code: 0, stderr: 'truncate: passed\n' })
  })

  it.each([
    [['--compactor', './none.ts'], 'pith: --compactor: there is no file ./none.ts'],
    [['--sessions', 'nowhere'], 'pith: --sessions: there is no folder nowhere'],
    [['--forms', 'none.json'], 'pith: --forms: there is no file none.json'],
    [['--min', 'rule=1'], 'pith: --min: there is no figure rule, did you mean rules?'],
    [['--target', '52k'], 'pith: --target must be smaller than 80 % of --window'],
    [['--compactor', ''], 'pith: --compactor "": name a compactor, a file, a command or an address'],
    [['--compactor', 'http://'], 'pith: --compactor "http://": name a compactor'],
    [['--sessions', '.'], 'pith: --sessions: there is no session'],
    [['--out', '/dev/null'], 'pith: --out /dev/null: '],
    [['--compactor', 'http://127.0.0.1:1/', '--sessions', '.'], 'add --yes to send recorded sessions'],
  ])('says in one line what is wrong with %j', async (args, line) => {
    const { code, stderr } = await pith(configFolders(), ['eval', ...args])
    expect(code).not.toBe(0)
    expect(stderr.trim().split('\n').at(-1)).toContain(line)
  })

  it('takes ES modules in a folder in which `npm init` has made every file another kind', async () => {
    const user = configFolders()
    const write = (name: string, text: string) => writeFileSync(join(user.workspace, name), text)
    write('package.json', '{"type":"commonjs"}')
    write('first.ts', 'export const first = (all: object[]) => all.slice(0, 1)')
    write('mine.ts', "import { first } from './first.ts'\nexport default first")
    write('other.js', 'module.exports = (messages) => messages.slice(0, 1)')
    const mine = join(user.workspace, 'mine.ts')
    const { code, stdout } = await pith(user, [
      ...['eval', ...SMALL],
      '--compactor',
      mine,
      '--compactor',
      `${user.workspace}/other.js`,
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^ +mine +other +plain selection$/m) })
  })

  it('counts what a provider would get, names a session by a hash, and ends whatever a compactor left running', () => {
    const user = configFolders()
    writeFileSync(
      join(user.workspace, 'mine.mjs'),
      `setInterval(() => {}, 1_000)
       class Hidden { constructor(text) { this.text = text } toJSON() { return '' } }
       export default (messages, { session }) => {
         if (!/^[0-9a-f]{16}$/.test(session)) throw new Error(session)
         const part = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: new Hidden(JSON.stringify(messages)) }
         const result = { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: '' } }
         return [messages[0], { role: 'assistant', content: [part] }, { role: 'tool', content: [result] }]
       }`,
    )
    const { code, stdout } = pithProcess(user, ['eval', ...SMALL, '--compactor', './mine.mjs', '--json'])
    const [mine] = JSON.parse(stdout).compactors
    expect({ code, failures: mine.failures }).toEqual({ code: 0, failures: [] })
    expect(mine.rounds[0].parts.facts).toBeLessThan(0.5)
  })

  it('makes other sessions from other seeds and forms, and names both in the report', async () => {
    const user = configFolders()
    const scenes = [[1, 'question look read:2-3 edit check commit done']]
    writeFileSync(join(user.workspace, 'own.json'), JSON.stringify({ scenes, looks: [['make list', '{hits}']] }))
    const measured = async (...flags: readonly string[]) => {
      const { stdout } = await pith(user, ['eval', ...SMALL, '--compactor', TRUNCATE, '--json', ...flags])
      const [{ name, sessions }] = JSON.parse(stdout).sets
      return { name, hash: sessions[0].hash }
    }
    const [bundled, seeded] = [await measured(), await measured('--seed', '2')]
    const own = await measured('--seed', '2', '--forms', 'own.json')
    expect([bundled.name, seeded.name]).toEqual(['made up, seeds 1 to 1', 'made up, seeds 2 to 2'])
    expect(own.name).toMatch(/^made up, seeds 2 to 2, forms own\.json [0-9a-f]{8}$/)
    expect(new Set([bundled.hash, seeded.hash, own.hash]).size).toBe(3)
    expect(await measured('--seed', '2', '--forms', 'own.json')).toEqual(own)
  })

  it.each([
    ['{"looks": [', 'line 1, column 12: it ends too early'],
    ['[]', 'must be an object with some of the parts'],
    ['{"lokks": []}', 'unknown key `lokks`, did you mean `looks`?'],
    ['{"looks": []}', 'looks: must have at least 1 item'],
    ['{"looks": [["ls {dirr}", ""]]}', 'looks: 0: 0: unknown slot `dirr`, did you mean `dir`?'],
    ['{"first": "read edit"}', 'first: must be one of house, rule, paste, ask,'],
    ['{"scenes": [[1, "ask comit"]]}', 'scenes: 0: 1: must be one of house, rule, paste, ask,'],
  ])('says in one line what is wrong with the forms %s', async (text, line) => {
    const user = configFolders()
    writeFileSync(join(user.workspace, 'own.json'), text)
    const { code, stderr } = await pith(user, ['eval', ...SMALL, '--forms', 'own.json'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^pith: --forms own\.json: .*\n$/) })
    expect(stderr).toContain(line)
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
})

describe('the example compactors', () => {
  it('have at most thirty lines, and say how to run them', () => {
    for (const file of readdirSync(EXAMPLES)) {
      const text = readFileSync(join(EXAMPLES, file), 'utf8')
      expect(text.trimEnd().split('\n').length, file).toBeLessThanOrEqual(30)
      expect(text, file).toMatch(/pith eval --\S|node answer-folder\.ts/)
    }
  })
})
