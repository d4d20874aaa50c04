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
  ['C:\\Users\\Ada/.ssh/**', 'c:\\users\\Ada\\.ssh\\id_rsa'],
  ['C:/Users/Ada/.ssh', 'C:\\Users\\Ada\\.ssh'],
  ['\\\\srv\\share/**', '\\\\SRV\\share\\a.txt'],
  ['**/id_rsa', 'D:\\keys\\id_rsa'],
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

it('a never rule covers a path of Windows, inside the workspace too', () => {
  const covers = (pattern: string, path: string) => coversPath(pathPattern(pattern), path, 'C:\\work\\app')
  expect(covers('C:\\Users\\Ada/.ssh', 'C:\\Users\\Ada\\.ssh\\id_rsa')).toBe(true)
  expect(covers('C:/work/app/secrets/**', 'secrets/a.txt')).toBe(true)
  expect(covers('C:/work/other/**', 'secrets/a.txt')).toBe(false)
  expect(covers('D:/Users/Ada/.ssh', 'C:\\Users\\Ada\\.ssh\\id_rsa')).toBe(false)
})
