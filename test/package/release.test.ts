import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { repositoryAddress } from '../../scripts/repository-address.mjs'
import { full } from '../support/full.ts'
import { ROOT } from './loaded-modules.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something new.

## [0.1.0] - 2026-01-01

- The first.
`

const MANIFEST: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

type Repository = ReturnType<typeof repository>

/** The parts that differ from one repository to another. */
type Contents = { readonly changelog: string; readonly address?: string; readonly test: string }

const CONTENTS: Contents = {
  changelog: CHANGELOG,
  test: "node -e \"require('fs').writeFileSync('.git/tested', '')\"",
}

/** A repository of its own with the script in it; `check` and `test` leave a mark, or fail. */
function repository(contents: Partial<Contents> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(firstCommit({ ...CONTENTS, ...contents }), folder, { recursive: true })
  const file = (name: string) => join(folder, name)
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  return {
    read: (name: string) => readFileSync(file(name), 'utf8'),
    append: (name: string, text: string) => appendFileSync(file(name), text),
    git: (...args: string[]) => run('git', ...args).stdout.trim(),
    release: (...args: string[]) => run(process.execPath, 'scripts/release.mjs', ...args),
    shell: (line: string) => spawnSync(line, { cwd: folder, shell: true, encoding: 'utf8' }),
    publish: () => run(process.execPath, 'scripts/check-publish.mjs'),
  }
}

const committed = new Map<string, string>()
afterAll(() => {
  for (const folder of committed.values()) rmSync(folder, { recursive: true, force: true })
})

/** A repository with one commit; the tests that begin with the same contents copy it. */
function firstCommit(contents: Contents): string {
  const key = JSON.stringify(contents)
  const folder = committed.get(key) ?? newRepository(contents)
  committed.set(key, folder)
  return folder
}

function newRepository({ changelog, address, test }: Contents): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-release-'))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'scripts'))
  for (const script of ['release', 'check-publish', 'repository-address'])
    cpSync(join(ROOT, 'scripts', `${script}.mjs`), join(folder, 'scripts', `${script}.mjs`))
  const scripts = { check: 'node -e 0', test }
  const repository = address === undefined ? {} : { repository: { type: 'git', url: address } }
  const manifest = { name: 'a', version: '0.1.0', scripts, ...repository }
  put('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  const lock = { name: 'a', version: '0.1.0', lockfileVersion: 3, packages: { '': { name: 'a', version: '0.1.0' } } }
  put('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
  put('CHANGELOG.md', changelog)
  for (const line of [
    'init -q -b main --template=',
    'config user.email a@example.org',
    'config user.name a',
    'add .',
    'commit -qm first',
  ])
    spawnSync('git', line.split(' '), { cwd: folder })
  return folder
}

/** The state that must stay as it is when nothing is released. One process asks for all of it. */
function stateOf({ shell }: Repository): string {
  return shell('git log --oneline; git tag; git diff').stdout
}

describe('npm run release', () => {
  it('sets the version, dates the changelog, commits and tags, after check and test', () => {
    const at = repository()
    const { stdout, stderr, status } = at.release('minor')
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(at.read('CHANGELOG.md')).toMatch(
      /## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- Something new\.\n\n## \[0\.1\.0\]/,
    )
    expect(JSON.parse(at.read('package.json')).version).toBe('0.2.0')
    const lock = JSON.parse(at.read('package-lock.json'))
    expect([lock.version, lock.packages[''].version]).toEqual(['0.2.0', '0.2.0'])
    expect(at.read('.git/tested')).toBe('')
    expect(at.git('status', '--porcelain')).toBe('')
    expect(at.git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
    expect(at.git('tag', '--points-at', 'HEAD')).toBe('v0.2.0')
    expect(stdout).toMatch(/git push origin main v0\.2\.0 .*provenance/)
  })

  it.each([
    ['patch', '0.1.1'],
    ['major', '1.0.0'],
    ['0.1.0', '0.1.0'],
    ['0.4.2', '0.4.2'],
  ])('%s after 0.1.0, which has no tag, is %s', (word, version) => {
    const at = repository()
    if (!full) return expect(at.release(word, '--dry-run').stdout).toContain(`Would release ${version} (now 0.1.0)`)
    at.release(word, '--no-verify')
    expect(JSON.parse(at.read('package.json')).version).toBe(version)
    expect(at.git('tag')).toBe(`v${version}`)
  })

  it('changes nothing with --dry-run, and says what it would do', () => {
    const at = repository()
    const before = stateOf(at)
    expect(at.release('patch', '--dry-run').stdout).toContain('Would release 0.1.1')
    expect(stateOf(at)).toBe(before)
  })

  it.each<[string, (at: Repository) => void, string, RegExp]>([
    ['a change that is not committed', (at) => at.append('CHANGELOG.md', '\n'), 'patch', /not committed/],
    ['a file that git does not know', (at) => at.append('new', ''), 'patch', /not committed/],
    ['another branch', (at) => at.git('switch', '-qc', 'other'), 'patch', /branch other/],
    ['a tag that is there', (at) => at.git('tag', 'v0.1.1'), 'patch', /v0\.1\.1 is there already/],
    ['an earlier version', () => {}, '0.0.9', /below 0\.1\.0/],
    ['a word that is no version', () => {}, 'soon', /soon is no version/],
  ])('refuses %s in one line', (_, change, word, line) => {
    const at = repository()
    change(at)
    const before = stateOf(at)
    const { status, stderr } = at.release(word)
    expect(status).not.toBe(0)
    expect(stderr).toMatch(line)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stateOf(at)).toBe(before)
  })

  it('releases without the address of the repository, and publishes nothing until package.json has it', () => {
    const at = repository()
    const before = at.read('package.json')
    const { stdout } = at.release('patch', '--no-verify')
    expect(at.read('package.json')).toBe(before.replace('0.1.0', '0.1.1'))
    const { status, stderr } = at.publish()
    expect(status).toBe(1)
    expect(stderr.split('\n')).toContainEqual(
      expect.stringMatching(/^publish: .*npm pkg set repository\.type=git repository\.url=/),
    )
    // The workflow publishes what the tag has: after the printed commands in their order it has the address.
    for (const line of stdout.split('\n').filter((each) => /^ {2}(npm pkg|git (?!push))/.test(each))) at.shell(line)
    expect(stdout).toMatch(/git tag [^\n]*v0\.1\.1[^\n]*\n {2}git push origin main v0\.1\.1/)
    expect(at.git('status', '--porcelain')).toBe('')
    expect(at.git('show', 'v0.1.1:package.json')).toContain('"url": "https://HOST/OWNER/pith"')
    expect(at.git('tag', '--points-at', 'HEAD')).toBe('v0.1.1')
    expect(at.publish().status).toBe(0)
  })

  it('publishes from a repository that package.json names', () => {
    const at = repository({ address: 'https://git.example/o/pith' })
    expect(at.publish().status).toBe(0)
    expect(MANIFEST.scripts.prepublishOnly).toBe('node scripts/check-publish.mjs')
  })

  it.each([
    ['https://git.example/o/pith', 'https://git.example/o/pith'],
    ['git+https://git.example/o/pith.git', 'https://git.example/o/pith'],
    ['git+ssh://git@git.example/o/pith.git', 'https://git.example/o/pith'],
    ['ssh://git@git.example:2222/o/pith.git', 'https://git.example/o/pith'],
    ['git://git.example/o/pith.git', 'https://git.example/o/pith'],
    ['git@git.example:o/pith.git', 'https://git.example/o/pith'],
    ['github:o/pith', 'https://github.com/o/pith'],
    ['o/pith', 'https://github.com/o/pith'],
    ['gitlab:o/pith', 'https://gitlab.com/o/pith'],
    ['bitbucket:o/pith', 'https://bitbucket.org/o/pith'],
    ['pith', undefined],
    ['', undefined],
  ])('%s names the repository %s', (url, address) => {
    expect(repositoryAddress({ repository: { url } })).toBe(address)
    expect(repositoryAddress({ repository: url })).toBe(address)
  })

  it('refuses a changelog that says nothing new', () => {
    const at = repository({ changelog: CHANGELOG.replace('- Something new.\n', '') })
    expect(at.release('patch').stderr).toContain('nothing under [Unreleased]')
  })

  it('releases nothing when the tests fail', () => {
    const at = repository({ test: 'node -e "process.exit(1)"' })
    const before = stateOf(at)
    expect(at.release('patch').stderr).toContain('npm run test failed')
    expect(stateOf(at)).toBe(before)
  })
})
