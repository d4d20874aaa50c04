import { describe, expect, it } from 'vitest'
import { otherKind, purposeOf } from '../../../../src/engine/extract/ledger/command-kind.ts'

describe('what a command is for', () => {
  it.each([
    ['pnpm --filter api dev &', 'run'],
    ['cd app && npm install', 'install'],
    ['gh pr create --title "x"', 'pull request'],
    ['git push -u origin main', 'push'],
    ['git checkout -b fix/upload', 'branch'],
    [`node -e '${'x'.repeat(60)}; npm start'`, undefined],
    ['ls', undefined],
  ])('of %s is %s', (command, kind) => {
    expect(otherKind(command)).toBe(kind)
  })

  it.each([
    ['cd /app && psql -h db.local -c "select 1"', 'run psql db.local'],
    ['# Start the mock\nnode tools/mock.js &\nsleep 1\ncurl localhost:3001 || echo down', 'run node tools/mock.js'],
    ['gh api repos/a/b/pulls/3/comments | jq .', 'run gh api'],
  ])('of another one is what it runs: %s', (command, purpose) => {
    expect(purposeOf(command)).toBe(purpose)
  })

  it.each([
    'ls -la',
    'cat a.ts | head',
    'git status',
    'ps aux',
    'cd x; grep a b',
    'docker ps || echo none',
    'workmux add --help',
    'cat …',
  ])('of one that only looks, or always ends well, is nothing: %s', (command) => {
    expect(purposeOf(command)).toBeUndefined()
  })
})
