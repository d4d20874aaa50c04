/**
 * Fetches public sessions of coding agents (MIT licence, of people who publish theirs), always the same ones. Needs git.
 * node fetch-sessions.mjs sessions && pith eval --sessions sessions --compactor ./truncate.ts
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FROM = process.env.SESSIONS_FROM ?? 'https://github.com'
const REPOSITORIES = process.argv[3]?.split(',') ?? [
  'entireio/git-sync@8e24a4e9214edf84e753675e5c3ebe0f60e15264',
  'entireio/entire-graph@7789048c1f7b7d311939f8021a5572699d598676',
  'entireio/skills@5fa5d6d2c9b976a2c6dfa60527c8ea351fae8be6',
]
const folder = process.argv[2] ?? 'sessions'
for (const [repository, commit] of REPOSITORIES.map((one) => one.split('@'))) {
  const clone = mkdtempSync(join(tmpdir(), 'sessions-'))
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 })
  git('init', '--quiet')
  git('fetch', '--quiet', '--depth', '1', `${FROM}/${repository}`, commit)
  const files = git('ls-tree', '-r', '--name-only', 'FETCH_HEAD').split('\n')
  const texts = files.filter((name) => name.endsWith('full.jsonl')).map((name) => git('show', `FETCH_HEAD:${name}`))
  // A session is published again and again while it grows: its longest form is kept.
  const longest = new Map(
    texts.sort((a, b) => a.length - b.length).map((text) => [/[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0], text]),
  )
  mkdirSync(join(folder, repository), { recursive: true })
  for (const [id, text] of longest) writeFileSync(join(folder, repository, `${id}.jsonl`), text)
}
