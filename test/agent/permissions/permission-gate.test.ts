import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type PermissionAnswer, PermissionGate } from '../../../src/agent/permissions/permission-gate.ts'
import type { Rules } from '../../../src/agent/permissions/rule.ts'
import { addRule } from '../../../src/agent/permissions/rules-file.ts'
import type { PermissionRequest } from '../../../src/agent/tool.ts'

const request: PermissionRequest = { kind: 'command', command: 'npm test' }
const rule = { kind: 'command', pattern: 'npm test' } as const
const never = new AbortController().signal

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-gate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { folder, workspace: '/repo' }
}

/** A gate whose user gives this answer, and how often they were asked. */
async function answering(answer: PermissionAnswer, at = place()) {
  const asked: PermissionRequest[] = []
  const gate = await PermissionGate.open('ask', at, async (request) => {
    asked.push(request)
    return answer
  })
  return { gate, asked, permit: (signal = never) => gate.permit(request, 'call', signal) }
}

describe('a gate with a user', () => {
  it('asks each time when it was allowed once', async () => {
    const { asked, permit } = await answering({ kind: 'once' })
    expect([await permit(), await permit()]).toEqual([{ ok: true }, { ok: true }])
    expect(asked).toEqual([request, request])
  })

  it('asks no more after always and never, also in another gate of the workspace', async () => {
    const at = place()
    const always = await answering({ kind: 'always', rules: [rule] }, at)
    expect([await always.permit(), await always.permit()]).toEqual([{ ok: true }, { ok: true }])
    expect(always.asked).toHaveLength(1)
    const other = await answering({ kind: 'once' }, at)
    expect(await other.permit()).toEqual({ ok: true })
    expect(other.asked).toEqual([])

    const forbidden = await answering({ kind: 'never', rules: [rule] })
    const reason = expect.stringMatching(/^The user forbids this for good/)
    expect([await forbidden.permit(), await forbidden.permit()]).toEqual([
      { ok: false, reason },
      { ok: false, reason },
    ])
    expect(forbidden.asked).toHaveLength(1)
  })

  it('asks no more for the same request after this session, and keeps no rule of it', async () => {
    const at = place()
    const text: PermissionRequest = { kind: 'command', command: 'for f in *; do rm $f; done' }
    const { gate, asked } = await answering({ kind: 'session' }, at)
    for (let i = 0; i < 2; i++) expect(await gate.permit(text, 'call', never)).toEqual({ ok: true })
    expect(asked).toEqual([text])
    await gate.permit({ ...text, command: 'rm x' }, 'call', never)
    expect(asked).toHaveLength(2)
    expect(await gate.rules()).toEqual({ always: [], never: [] })
    const other = await answering({ kind: 'once' }, at)
    await other.gate.permit(text, 'call', never)
    expect(other.asked).toHaveLength(1)
  })

  it('asks no more for edits of the workspace after this session, except protected ones', async () => {
    const { gate, asked } = await answering({ kind: 'session' })
    const edit = (path: string): PermissionRequest => ({ kind: 'edit', path, outside: path.startsWith('/') })
    for (const path of ['a.ts', 'b.ts', 'src/c.ts']) await gate.permit(edit(path), 'call', never)
    expect(asked).toEqual([edit('a.ts')])
    const later = ['.git/hooks/pre-commit', '.envrc', '.npmrc', '.claude/settings.json', '.github/workflows/ci.yml']
    for (const path of [...later, '/etc/hosts']) await gate.permit(edit(path), 'call', never)
    expect(asked).toHaveLength(7)
    await gate.permit(request, 'call', never)
    expect(asked.at(-1)).toEqual(request)
  })

  it('passes on what the user says instead', async () => {
    expect(await (await answering({ kind: 'tell', text: 'Use make.' })).permit()).toEqual({
      ok: false,
      reason: 'The user does not want this and says: Use make.',
      said: 'Use make.',
    })
    expect(await (await answering({ kind: 'tell', text: ' ' })).permit()).toEqual({
      ok: false,
      reason: 'The user does not want this.',
    })
  })

  it('waits no longer for an answer when the turn is interrupted', async () => {
    const stop = new AbortController()
    const gate = await PermissionGate.open('ask', place(), () => {
      stop.abort()
      return new Promise(() => undefined)
    })
    expect(await gate.permit(request, 'call', stop.signal)).toEqual({
      ok: false,
      reason: 'Interrupted by the user: this call was not run.',
    })
  })
})

describe('a gate without a user', () => {
  it('refuses what would be asked, and allows what the mode allows', async () => {
    const gate = await PermissionGate.open('ask', place())
    expect(await gate.permit(request, 'call', never)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('nobody is there to ask'),
    })
    gate.mode = 'full'
    expect(await gate.permit(request, 'call', never)).toEqual({ ok: true })
  })

  it('names the first mode that would allow it', async () => {
    const gate = await PermissionGate.open('ask', place())
    const reasonOf = async (path: string) => gate.permit({ kind: 'edit', path, outside: false }, 'call', never)
    expect(await reasonOf('a.ts')).toMatchObject({ reason: expect.stringContaining('with --permissions auto-edit or') })
    expect(await reasonOf('.git/config')).toMatchObject({
      reason: expect.stringContaining('with --permissions full or'),
    })
  })
})

describe('a gate with a never rule for a file', () => {
  async function forbidding(pattern: string) {
    const { folder } = place()
    const workspace = join(folder, 'work')
    mkdirSync(join(workspace, 'src'), { recursive: true })
    await addRule({ folder, workspace }, 'never', { kind: 'read', pattern })
    const gate = await PermissionGate.open('full', { folder, workspace })
    const runs = async (command: string) => (await gate.permit({ kind: 'command', command }, 'call', never)).ok
    return { gate, workspace, runs }
  }

  it.each(['.env', '**/.env'])('lets a folder be searched while no file there is forbidden by %s', async (pattern) => {
    const { workspace, runs } = await forbidding(pattern)
    expect([await runs('grep -r KEY .'), await runs('cp -r src lib')]).toEqual([true, true])
    writeFileSync(join(workspace, '.env'), '')
    expect([await runs('grep -r KEY .'), await runs('cp -r src lib')]).toEqual([false, true])
    writeFileSync(join(workspace, 'src', '.env'), '')
    expect(await runs('cp -r src lib')).toBe(pattern === '.env')
  })

  it('finds the file behind a link', async () => {
    const { workspace, runs } = await forbidding('keys/*.pem')
    mkdirSync(join(workspace, 'keys'))
    writeFileSync(join(workspace, 'keys', 'a.pem'), '')
    symlinkSync('../keys/a.pem', join(workspace, 'src', 'link'))
    symlinkSync('../keys', join(workspace, 'src', 'folder'))
    expect([await runs('cat src/link'), await runs('cat src/folder/a.pem'), await runs('cat src/a.ts')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('does not follow links to other folders', async () => {
    const { workspace, runs } = await forbidding('keys/**/*.pem')
    mkdirSync(join(workspace, 'keys'))
    symlinkSync('../src', join(workspace, 'keys', 'more'))
    expect(await runs('cat keys/*/*')).toBe(false)
  })

  it('names its doubts if no user can be asked', async () => {
    const { gate, workspace } = await forbidding('.env')
    writeFileSync(join(workspace, '.env'), '')
    gate.mode = 'ask'
    expect(await gate.permit({ kind: 'command', command: 'cat "$FILE"' }, 'call', never)).toEqual({
      ok: false,
      reason:
        'Not run: it may be what the user forbids (never read: .env), because of: "$FILE". Write out each command and file, or use other tools.',
    })
  })

  it('leaves the rule to a sandbox that keeps it', async () => {
    const { gate, workspace, runs } = await forbidding('.env')
    writeFileSync(join(workspace, '.env'), '')
    expect(await runs('python3 a.py')).toBe(false)
    gate.wall = { enforces: () => true, secrets: () => [], wrap: (program) => program }
    expect(await runs('python3 a.py')).toBe(true)
  })
})

describe('a gate with a rule of its run', () => {
  const more: Rules = {
    always: [{ kind: 'read', pattern: '$HOME/notes/**' }],
    never: [
      { kind: 'read', pattern: '~/.ssh/**' },
      { kind: 'read', pattern: `$\{HOME}/.netrc` },
      { kind: 'edit', pattern: '$HOME/.bashrc' },
    ],
  }

  it.each([
    'cat ~/.ssh/id_rsa',
    'cat $HOME/.ssh/id_rsa',
    `cat "$\{HOME}/.ssh/id_rsa"`,
    `cat ${homedir()}/.ssh/id_rsa`,
    'cd && cat .ssh/id_rsa',
    'dd if=~/.ssh/id_rsa',
    'python3 -c "print(open(os.path.expanduser(\'~/.ssh/id_rsa\')).read())"',
    `node -e "fs.readFileSync(process.env.HOME + '/.ssh/id_rsa')"`,
    'cat ~/.netrc',
    'echo x >> ~/.bashrc',
  ])('takes ~ and $HOME in it for the home folder: %s', async (command) => {
    const gate = await PermissionGate.open('full', place(), undefined, more)
    expect((await gate.permit({ kind: 'command', command }, 'call', never)).ok).toBe(false)
  })

  it.each(['ls ~/.ssh', 'cat ~/.sshrc', 'cat ~/.bashrc', 'cat .ssh/id_rsa'])('lets %s run', async (command) => {
    const gate = await PermissionGate.open('full', place(), undefined, more)
    expect(await gate.permit({ kind: 'command', command }, 'call', never)).toEqual({ ok: true })
  })

  it('means the same paths for tools', async () => {
    const gate = await PermissionGate.open('full', place(), undefined, more)
    const reads = async (path: string) =>
      (await gate.permit({ kind: 'read', path: join(homedir(), path), outside: true }, 'call', never)).ok
    expect([await reads('.ssh/id_rsa'), await reads('.netrc'), await reads('notes/a.md')]).toEqual([false, false, true])
    expect(gate.mayRead(join(homedir(), '.ssh/id_rsa'))).toBe(false)
  })

  it('keeps it when a rule of the user is added or removed', async () => {
    const added = { kind: 'command', pattern: 'npm test' } as const
    const gate = await PermissionGate.open('ask', place(), async () => ({ kind: 'always', rules: [added] }), more)
    const key = { kind: 'read', path: join(homedir(), '.ssh/id_rsa'), outside: true } as const
    await gate.permit(request, 'call', never)
    expect(await gate.permit(key, 'call', never)).toMatchObject({ ok: false })
    await gate.remove('always', added)
    expect(await gate.permit(key, 'call', never)).toMatchObject({ ok: false })
  })
})
