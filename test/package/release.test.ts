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
type Contents = { readonly changelog: string; readonly addresses: object; readonly test: string }

const ADDRESSES = {
  repository: { type: 'git', url: 'https://git.example/o/pith' },
  homepage: 'https://git.example/o/pith',
  bugs: { url: 'https://git.example/o/pith/issues' },
}

const CONTENTS: Contents = {
  changelog: CHANGELOG,
  addresses: ADDRESSES,
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

function newRepository({ changelog, addresses, test }: Contents): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-release-'))
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'scripts'))
  for (const script of ['release', 'check-publish', 'repository-address'])
    cpSync(join(ROOT, 'scripts', `${script}.mjs`), join(folder, 'scripts', `${script}.mjs`))
  const scripts = { check: 'node -e 0', test }
  const manifest = { name: 'a', version: '0.1.0', scripts, ...addresses }
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

  it.each<[object, string]>([
    [{}, 'repository, homepage, bugs'],
    [{ ...ADDRESSES, homepage: undefined }, 'homepage'],
    [{ ...ADDRESSES, repository: 'pith', bugs: '' }, 'repository, bugs'],
  ])('releases and publishes nothing while package.json has the addresses %j', (addresses, missing) => {
    const at = repository({ addresses })
    const before = stateOf(at)
    const line = `package.json does not say where the project lives (${missing}): npm pkg set repository.type=git`
    for (const { status, stderr } of [at.release('patch'), at.release('patch', '--dry-run'), at.publish()]) {
      expect(status).toBe(1)
      expect(stderr).toContain(line)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
    expect(stateOf(at)).toBe(before)
  })

  it('publishes once the printed command was run', () => {
    const at = repository({ addresses: {} })
    at.shell(/npm pkg set [^,]*/.exec(at.publish().stderr)?.[0] ?? '')
    expect(at.publish()).toMatchObject({ status: 0, stderr: '' })
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
