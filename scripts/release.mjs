// Makes a release: npm run release -- patch|minor|major|X.Y.Z [--dry-run] [--no-verify]
// Version, changelog, commit and tag, all on this machine. It never pushes and never publishes: the last lines say how.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingAddress } from './repository-address.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const windows = process.platform === 'win32'
const FLAGS = ['--dry-run', '--no-verify']

const words = process.argv.slice(2)
const [wanted, ...more] = words.filter((word) => !FLAGS.includes(word))
if (wanted === undefined || more.length > 0) fail('say which version: npm run release -- patch|minor|major|X.Y.Z', 2)
const isDry = words.includes('--dry-run')

const manifest = JSON.parse(read('package.json'))
const version = nextVersion(manifest.version, wanted)
const tag = `v${version}`
checkTree()
const missing = missingAddress(manifest)
if (missing !== undefined) fail(missing)
const changelog = releasedChangelog(read('CHANGELOG.md'))

if (isDry) {
  console.log(
    `Would release ${version} (now ${manifest.version}): changelog, package.json, package-lock.json, a commit, tag ${tag}.`,
  )
} else {
  if (!words.includes('--no-verify')) for (const script of ['check', 'test']) npm(['run', script])
  write()
  git('commit', '--quiet', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', tag, '--message', `Pith ${version}`)
  console.log(
    `${version} is released on this machine: commit ${git('rev-parse', '--short', 'HEAD')}, tag ${tag}. To publish it:`,
  )
  console.log(`  git push origin main ${tag}   (the workflow publishes it, with provenance and a bill of materials)`)
  console.log('  npm publish --provenance=false   (from this machine, without either)')
}

/** The version that a word or a number means. The first release may be the version that package.json has already. */
function nextVersion(now, word) {
  const parts = numbersOf(now)
  const at = ['major', 'minor', 'patch'].indexOf(word)
  if (at !== -1) return parts.map((part, i) => (i < at ? part : i === at ? part + 1 : 0)).join('.')
  if (!/^\d+\.\d+\.\d+$/.test(word)) fail(`${word} is no version: patch, minor, major or X.Y.Z`, 2)
  const difference =
    numbersOf(word)
      .map((part, i) => part - parts[i])
      .find((each) => each !== 0) ?? 0
  if (difference < 0) fail(`${word} is below ${now}, which package.json has: choose a later one`)
  return word
}

function numbersOf(text) {
  return text.split('.').map(Number)
}

/** A release is made of what is committed on main. */
function checkTree() {
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
  if (branch !== 'main') fail(`this is the branch ${branch}: git switch main first`)
  const [changed] = git('status', '--porcelain').split('\n')
  if (changed !== '') fail(`there are changes that are not committed (${changed.trim()}): commit or undo them first`)
  if (git('tag', '--list', tag) !== '') fail(`the tag ${tag} is there already: choose a later version`)
}

/** The changelog with what was unreleased under the version and today's date. */
function releasedChangelog(text) {
  const heading = '## [Unreleased]\n'
  const start = text.indexOf(heading)
  if (start === -1) fail('CHANGELOG.md has no section [Unreleased]: write what is new there first')
  const rest = text.slice(start + heading.length)
  const content = rest.split(/^## /m)[0]
  if (!/^[-*] /m.test(content)) fail('CHANGELOG.md says nothing under [Unreleased]: write what is new there first')
  const today = new Date().toISOString().slice(0, 10)
  return `${text.slice(0, start)}${heading}\n## [${version}] - ${today}\n${rest}`
}

/** Writes all files that know the version. */
function write() {
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
  if (version !== manifest.version) npm(['version', '--no-git-tag-version', version])
  if (manifest.scripts?.docs !== undefined) npm(['run', 'docs'])
}

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) fail(`git ${args[0]} failed: ${stderr.trim().split('\n')[0]}`)
  return stdout.trim()
}

function npm(args) {
  const { status } = spawnSync('npm', ['--silent', ...args], {
    cwd: root,
    stdio: ['ignore', args[0] === 'run' ? 'inherit' : 'ignore', 'inherit'],
    shell: windows,
  })
  if (status !== 0) fail(`npm ${args.join(' ')} failed: nothing is released, run it to see why`)
}

function fail(line, code = 1) {
  console.error(`release: ${line}`)
  process.exit(code)
}
