import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { viewOf } from '../../../src/engine.ts'
import { decodeText } from '../../../src/formats/index.ts'
import { textOf } from '../../../src/model/types.ts'
import { listening } from '../../server/support/listening.ts'
import { TOKENS } from '../../server/support/world.ts'
import { pith } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'

const RULE = 'Always push straight to main, and never ask me before you delete a file.'
const SECRET = 'sk-ant-api03-mK2vQ8xT5nR7wL4zB9cF6hJ3pD1sG0aYuEiOtXqVbNkMlPjHgFdSaQwErTyUiOpZxCvBnM-abcdefAA'

/** A session of Claude Code in which the user states a rule and pastes a key. */
function session({ workspace }: ConfigFolders): string {
  const line = (type: string, content: unknown, i: number) => ({
    type,
    message: { role: type, content },
    uuid: `u${i}`,
    parentUuid: i === 0 ? null : `u${i - 1}`,
    sessionId: 's',
    cwd: workspace,
    timestamp: '2026-01-01T00:00:00.000Z',
  })
  const call = [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]
  const lines = [
    line('user', `${RULE} The key is ANTHROPIC_API_KEY=${SECRET}`, 0),
    line('assistant', call, 1),
    line('user', [{ type: 'tool_result', tool_use_id: 't1', content: '35 passed' }], 2),
    line('assistant', [{ type: 'text', text: 'All tests pass.' }], 3),
  ]
  const file = join(workspace, 'session.jsonl')
  writeFileSync(file, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return file
}

async function bundled(): Promise<string> {
  const at = configFolders()
  const file = join(at.home, 'work.pith')
  const made = await pith(at, ['handoff', session(at), '--bundle', file, '--offline'])
  expect(made).toMatchObject({ code: 0, stdout: `${file}\n`, stderr: expect.stringContaining('1 secret') })
  return file
}

describe('a session for a colleague', () => {
  it('is a file without secrets that only its owner may read, and never written over another', async () => {
    const file = await bundled()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = gunzipSync(readFileSync(file)).toString()
    expect([text.includes(RULE), text.includes(SECRET)]).toEqual([true, false])
    const again = await pith(configFolders(), ['handoff', 'example', '--bundle', file, '--offline'])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^pith: .*exists already.*\n$/) })
  })

  it.each(['claude-code', 'codex', 'pi'])(
    'opens in %s as a text about a colleague, not as words of the user',
    async (to) => {
      const at = configFolders()
      const { stderr, code } = await pith(at, ['handoff', '--open', await bundled(), '--to', to, '--offline'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('To undo') })
      const file = /^To undo, delete this one file: (.+)$/m.exec(stderr)?.[1] ?? ''
      const read = decodeText(readFileSync(file, 'utf8'))
      if (!read.ok) throw new Error(read.text)
      expect(read.session).toMatchObject({ format: to, workspace: at.workspace })
      const items = viewOf(read.session.entries).items.slice()
      const [first] = items
      if (first?.kind !== 'summary') throw new Error('the session begins with a summary')
      expect([items.length, first.index.users, first.index.constraints]).toEqual([1, [], []])
      expect(textOf(first.message)).toMatch(/A colleague handed this session over[\s\S]*push straight to main/)
      // Neither does the project's memory take the colleague's rule for one of this user.
      execFileSync('git', ['init', '--quiet'], { cwd: at.workspace })
      expect((await pith(at, ['memory'])).stdout).not.toContain('push straight to main')
    },
  )

  it('opens in Pith itself, and its rules are not in the memory of the project', async () => {
    const at = configFolders()
    const { stdout, code } = await pith(at, ['handoff', '--open', await bundled(), '--to', 'pith', '--offline'])
    const id = /^pith --session (\S+)\n$/.exec(stdout)?.[1] ?? ''
    expect(code).toBe(0)
    expect((await pith(at, ['export', id])).stdout).toContain('push straight to main')
    expect((await pith(at, ['memory'])).stdout).not.toContain('push straight to main')
  })

  it('what is not a bundle is refused in one line', async () => {
    const at = configFolders()
    const whole = readFileSync(await bundled())
    const files: Record<string, Uint8Array> = {
      'cut.pith': whole.subarray(0, whole.length / 2),
      'changed.pith': Buffer.concat([whole.subarray(0, 300), Buffer.from('not this'), whole.subarray(308)]),
      'other.pith': gzipSync('{"a": 1}\n'),
      'empty.pith': gzipSync(''),
      'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    }
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(at.workspace, name), bytes)
    for (const what of [
      ...Object.keys(files),
      'missing.pith',
      '.',
      'https://pith.example/',
      'http://127.0.0.1:9/#share=x',
    ]) {
      const refused = await pith(at, ['handoff', '--open', what, '--to', 'pi', '--offline'])
      expect(refused, what).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^pith: [^\n]+\n$/) })
    }
    writeFileSync(join(at.workspace, 'whole.pith'), whole)
    const session = await pith(at, ['handoff', 'whole.pith', '--to', 'pi', '--offline'])
    expect(session).toMatchObject({
      code: 1,
      stderr: 'pith: whole.pith is a bundle: open it with --open instead of as a session\n',
    })
  })

  it.each([
    [['--to', 'pi']],
    [['example']],
    [['example', '--to', 'pi', '--bundle', 'b']],
    [['example', '--to', 'pi', '--open', 'b']],
    [['--open', 'b', '--bundle', 'c']],
  ])('%j is a wrong command line', async (args) => {
    const { stderr, code } = await pith(configFolders(), ['handoff', ...args])
    expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/^pith: [^\n]+\n$/), code: 2 })
  })

  it('goes through a server as a link that ends', async () => {
    const { url } = await listening()
    const at = configFolders()
    const args = ['handoff', session(at), '--server', url, '--expires', '2h', '--offline']
    const { stdout, stderr, code } = await pith(at, args, { PITH_TOKEN: TOKENS[0].token })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Whoever has this link can read') })
    const link = stdout.trim()
    expect(link).toMatch(/^http:\/\/[\d.:]+\/#share=\S+$/)
    const until = /until (\S+ \S+) UTC/.exec(stderr)?.[1] ?? ''
    expect(Math.round((Date.parse(`${until}Z`) - Date.now()) / 60_000)).toBeGreaterThan(115)

    const colleague = configFolders()
    const opened = await pith(colleague, ['handoff', '--open', link, '--to', 'codex', '--offline'])
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/^codex resume /) })
    const file = /^To undo, delete this one file: (.+)$/m.exec(opened.stderr)?.[1] ?? ''
    const text = readFileSync(file, 'utf8')
    expect([text.includes('push straight to main'), text.includes(SECRET)]).toEqual([true, false])

    const wrong = await pith(colleague, ['handoff', '--open', `${link}x`, '--to', 'codex', '--offline'])
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pith: [^\n]*has ended, or was never valid\n$/),
    })
    const reader = await pith(at, [...args.slice(0, 4), '--offline'], { PITH_TOKEN: TOKENS[1].token })
    expect(reader).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^pith: the server at [^\n]+ refuses: [^\n]+\n$/m),
    })
  })
})
