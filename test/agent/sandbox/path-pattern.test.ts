import { expect, it } from 'vitest'
import { coversPath, matchesPath, pathPattern } from '../../../src/agent/sandbox/path-pattern.ts'

const matches = (pattern: string, path: string) => matchesPath(pathPattern(pattern), path)

it.each([
  ['.env', '.env'],
  ['**/.env*', '.env'],
  ['**/.env*', 'a/b/.env.local'],
  ['secrets/**', 'secrets/a/b'],
  ['secrets/**', 'secrets'],
  ['a/**/z', 'a/z'],
  ['a/**/z', 'a/b/c/z'],
  ['*.p*m', 'key.pem'],
  ['/home/me/.ssh/**', '/home/me/.ssh/id_rsa'],
  ['./db/', 'db'],
])('%s matches %s', (pattern, path) => {
  expect(matches(pattern, path)).toBe(true)
})

it.each([
  ['.env', 'a/.env'],
  ['*.pem', 'a/key.pem'],
  ['secrets', 'secrets/a'],
  ['a*b*c', 'acb'],
  ['ab*ba', 'aba'],
  ['/etc/x', 'etc/x'],
])('%s does not match %s', (pattern, path) => {
  expect(matches(pattern, path)).toBe(false)
})

it('a pattern with many wildcards does not take forever', () => {
  const path = Array.from({ length: 60 }, () => 'a').join('/')
  expect(matches(`${'**/a/'.repeat(40)}b`, path)).toBe(false)
  expect(matches(`${'a*'.repeat(60)}b`, 'a'.repeat(250))).toBe(false)
})

it.each([
  ['secrets', 'secrets/a'],
  ['src/*', 'src/a/b.ts'],
  ['/w/src/**', 'src/a.ts'],
  ['/**/.env', '.env'],
  ['**/.env', '/home/me/.env'],
])('a never rule for %s is about %s', (pattern, path) => {
  expect(coversPath(pathPattern(pattern), path, '/w')).toBe(true)
})

it.each([
  ['secrets', 'secrets2/a'],
  ['/x/src/**', 'src/a.ts'],
  ['src/**', '/src/a.ts'],
])('a never rule for %s is not about %s', (pattern, path) => {
  expect(coversPath(pathPattern(pattern), path, '/w')).toBe(false)
})
