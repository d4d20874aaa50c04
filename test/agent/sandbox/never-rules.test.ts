import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubblewrap } from '../../../src/agent/sandbox/bubblewrap.ts'
import { type NeverRule, openSandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { NO_LOG } from '../../../src/agent/tool.ts'
import { bash } from '../../../src/agent/tools/bash/bash.ts'

const probe = await openSandbox('on', realpathSync(tmpdir()), process.env)
if (probe?.name !== 'bubblewrap') console.warn('Not tried: bubblewrap does not work here.')

const SECRET = 'the-secret-text'
const read = (...patterns: string[]): NeverRule[] => patterns.map((pattern) => ({ kind: 'read', pattern }))
const edit = (...patterns: string[]): NeverRule[] => patterns.map((pattern) => ({ kind: 'edit', pattern }))

/** A workspace with files, and commands that run in it behind the rules. */
async function world(files: Readonly<Record<string, string>>, never: readonly NeverRule[]) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pith-never-')))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  const sandbox = await openSandbox('on', workspace, process.env)
  if (sandbox === undefined) throw new Error('it worked a moment ago')
  const run = async (command: string) => {
    const { signal } = new AbortController()
    const env = { ...process.env, GIT_CONFIG_COUNT: '0' } as Record<string, string>
    return (await bash.run({ command }, { workspace, sandbox, never: () => never, signal, env, ...NO_LOG })).text
  }
  return { workspace, sandbox, run }
}

const GIT = 'git -c user.name=a -c user.email=a@b -c commit.gpgsign=false'

describe.skipIf(probe?.name !== 'bubblewrap')('a path that may never be read', () => {
  it.each([
    'cat .env',
    'cp .env copy; cat copy',
    'cp -r . /tmp/pith-never-copy; cat /tmp/pith-never-copy/.env; rm -rf /tmp/pith-never-copy',
    'mv .env other; cat other',
    'ln .env hard; cat hard',
    'ln -s .env soft; cat soft',
    'dd if=.env status=none',
    'tar cf - .env | tar xOf -',
    'grep -r . .',
    'f=.en; cat "$f"v',
    `echo 'while read l; do echo $l; done < .env' | sh`,
    `node -e "console.log(require('fs').readFileSync('.env', 'utf8'))"`,
    'cd / && cat "$OLDPWD/.env"',
    'chmod 777 .env; cat .env',
    'mkdir away; mv conf away; cat away/conf/.env.local; mv away/conf .',
    'umount .env; cat .env',
    'unshare -Urm sh -c "umount .env; cat .env"',
    'for p in /proc/[0-9]*; do cat $p/root$PWD/.env $p/cwd/.env; done',
  ])('is unreadable: %s', async (command) => {
    const { run } = await world({ '.env': SECRET, 'conf/.env.local': SECRET, 'a.txt': 'a' }, read('**/.env*'))
    const text = await run(command)
    expect(text).not.toContain(SECRET)
  })

  it('is an error and not empty, the file stays as it is, and the model reads why', async () => {
    const { workspace, run } = await world({ '.env': SECRET }, read('.env'))
    const text = await run('cat .env')
    expect(text).toContain('Permission denied')
    expect(text).toContain('never read: .env')
    expect(text).toContain('[exit code: 1]')
    await run('echo x > .env; rm -f .env')
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe(SECRET)
    expect(readdirSync(workspace)).toEqual(['.env'])
  })

  it('is not committed as empty or deleted', async () => {
    const { run } = await world({ '.env': SECRET, 'keys/a': SECRET, 'b.txt': 'b' }, [])
    await run(`git init -q . && git add -A && ${GIT} commit -qm one`)
    const { workspace } = await world({}, [])
    await run(`cp -r . ${workspace}`)
    const sandbox = await openSandbox('on', workspace, process.env)
    const { signal } = new AbortController()
    const never = () => read('.env', 'keys/**')
    const env = process.env as Record<string, string>
    const command = `echo c > b.txt; git add -A; ${GIT} commit -qam two; git add b.txt; ${GIT} commit -qm three; git show --stat --format= HEAD`
    const { text } = await bash.run({ command }, { workspace, sandbox, never, signal, env, ...NO_LOG })
    expect(text).toContain('b.txt')
    expect(text).not.toContain('keys/a |')
    expect(text).not.toContain('.env |')
  })

  it('may be a folder, or a file under another name', async () => {
    const { workspace, sandbox, run } = await world({ 'keys/a': SECRET, 'keys/b/c': SECRET }, read('keys/**'))
    linkSync(join(workspace, 'keys/a'), join(workspace, 'harmless'))
    symlinkSync('keys/a', join(workspace, 'link'))
    const text = await run('ls keys; cat keys/a keys/b/c harmless link; find . -type f -exec cat {} +')
    expect(text).not.toContain(SECRET)
    expect(text).toContain('Permission denied')
    expect(sandbox.enforces({ kind: 'read', pattern: 'keys/**' })).toBe(true)
    expect(sandbox.enforces({ kind: 'read', pattern: '/**/id_rsa' })).toBe(false)
    expect(sandbox.enforces({ kind: 'command', pattern: 'git push' })).toBe(false)
  })

  it('may be outside of the workspace, behind a link', async () => {
    const { workspace: home } = await world({ 'real/id': SECRET }, [])
    symlinkSync('real', join(home, '.ssh'))
    const { run } = await world({}, read(`${home}/.ssh/**`))
    expect(await run(`cat ${home}/.ssh/id ${home}/real/id`)).not.toContain(SECRET)
  })

  it('leaves no mount point if there is no such file', async () => {
    const { workspace, run } = await world({ 'a.txt': 'a' }, [...read('.env', 'no/**'), ...edit('dist/**')])
    expect(await run('cat a.txt')).toBe('a\n[exit code: 0]')
    expect(readdirSync(workspace)).toEqual(['a.txt'])
  })

  it.skipIf(process.getuid?.() !== 0)('is unreadable for a user other than root', async () => {
    const { workspace } = await world({ '.env': SECRET, 'keys/a': SECRET }, [])
    chmodSync(workspace, 0o777)
    chmodSync(dirname(workspace), 0o711)
    const line = bubblewrap({ workspace, places: () => [{ path: workspace, access: 'write' }] }, true).wrap(
      ['/bin/sh', '-c', 'cat .env keys/a; ls keys; cp -r keys k2; cat k2/a'],
      {
        never: read('.env', 'keys/**'),
      },
    )
    const [program = '', ...args] = line.filter((word, i) => word !== '--cap-add' && line[i - 1] !== '--cap-add')
    const { stdout, stderr } = spawnSync(program, args, { cwd: workspace, uid: 65534, gid: 65534, encoding: 'utf8' })
    expect(stderr.match(/Permission denied/g)?.length).toBeGreaterThan(3)
    expect(stdout + stderr).not.toContain(SECRET)
  })
})

describe.skipIf(probe?.name !== 'bubblewrap')('a path that may never be written', () => {
  it('can be read, and neither changed, replaced nor removed', async () => {
    const { workspace, run } = await world({ 'db/a.sql': 'one' }, edit('db/**'))
    const text = await run(
      'cat db/a.sql; echo two > db/a.sql; rm -rf db; mv db d2; touch db/new; sed -i s/o/0/ db/a.sql',
    )
    expect(text).toContain('one')
    expect(text).toContain('does not allow writing to db/**')
    expect(readFileSync(join(workspace, 'db/a.sql'), 'utf8')).toBe('one')
    expect(readdirSync(workspace)).toEqual(['db'])
    expect(readdirSync(join(workspace, 'db'))).toEqual(['a.sql'])
  })

  it('may be the whole workspace', async () => {
    const { workspace, run } = await world({ a: 'a' }, edit('**'))
    await run('touch new; echo b > a')
    expect(readdirSync(workspace)).toEqual(['a'])
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a')
  })
})

describe.skipIf(probe?.name !== 'bubblewrap')('files that run code later', () => {
  it('cannot be changed or moved away, and git still commits', async () => {
    const { workspace, run } = await world({ '.envrc': 'a', '.husky/pre-commit': 'a', '.vscode/tasks.json': 'a' }, [])
    spawnSync('git', ['init', '-q', workspace])
    const config = readFileSync(join(workspace, '.git/config'), 'utf8')
    for (const command of [
      'git config core.fsmonitor "touch x"',
      'git remote add origin https://example.org/a.git',
      'echo x > .git/hooks/pre-commit',
      'mv .git g2; mkdir -p .git/hooks',
      'rm -rf .vscode',
      'echo x > .envrc',
      'echo x > .husky/pre-push',
    ]) {
      expect(await run(command), command).toContain('outsideSandbox: true')
    }
    expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe(config)
    expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false)
    expect(existsSync(join(workspace, 'g2'))).toBe(false)
    for (const file of ['.envrc', '.husky/pre-commit', '.vscode/tasks.json'])
      expect(readFileSync(join(workspace, file), 'utf8')).toBe('a')
    const text = await run(`git add -A && ${GIT} commit -qm one && git checkout -qb two && git log --oneline | wc -l`)
    expect(text).toBe('1\n[exit code: 0]')
  })

  it('are those of the repository, too, if the workspace is a worktree, and the folder that git names', async () => {
    const { workspace: main } = await world({ 'a.txt': 'a', 'tools/hooks/x': '' }, [])
    spawnSync('sh', ['-c', `git init -q . && git add -A && ${GIT} commit -qm one && git worktree add -q tree`], {
      cwd: main,
    })
    spawnSync('git', ['config', 'core.hooksPath', 'tools/hooks'], { cwd: main })
    const workspace = join(main, 'tree')
    const sandbox = await openSandbox('on', workspace, process.env)
    const { signal } = new AbortController()
    const env = process.env as Record<string, string>
    const command = `git config a.b c; echo x > ../.git/hooks/pre-commit; rm -f .git; echo x > tools/hooks/pre-commit; ${GIT} commit -q --allow-empty -m two`
    const { text } = await bash.run({ command }, { workspace, sandbox, signal, env, ...NO_LOG })
    expect(text).toContain('[exit code: 0]')
    expect(readFileSync(join(main, '.git/config'), 'utf8')).not.toContain('b = c')
    expect(existsSync(join(main, '.git/hooks/pre-commit'))).toBe(false)
    expect(existsSync(join(workspace, '.git'))).toBe(true)
    expect(readdirSync(join(workspace, 'tools/hooks'))).toEqual(['x'])
  })
})
