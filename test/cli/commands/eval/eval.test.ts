import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pith } from '../../../support/cli.ts'
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
    [['--min', 'rule=1'], 'pith: --min: there is no figure rule, did you mean rules?'],
    [['--target', '64k'], 'pith: --target must be smaller than --window'],
    [['--compactor', 'http://127.0.0.1:1/', '--sessions', '.'], 'add --yes to send recorded sessions'],
  ])('says in one line what is wrong with %j', async (args, line) => {
    const { code, stderr } = await pith(configFolders(), ['eval', ...args])
    expect(code).not.toBe(0)
    expect(stderr.trim().split('\n').at(-1)).toContain(line)
  })

  it('says how to call an ES module where `npm init` has made every file another kind', async () => {
    const user = configFolders()
    const path = join(user.workspace, 'mine.js')
    writeFileSync(join(user.workspace, 'package.json'), '{"type":"commonjs"}')
    writeFileSync(path, 'export default (messages) => messages')
    const { code, stderr } = await pith(user, ['eval', '--compactor', path])
    expect(code).not.toBe(0)
    expect(stderr).toContain(`it is an ES module: call it ${join(user.workspace, 'mine.mjs')}`)
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
