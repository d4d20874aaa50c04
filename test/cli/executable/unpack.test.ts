import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { unpack } from '../../../src/cli/executable/unpack.ts'

const FILES = [
  { path: 'package.json', mode: 0o644, content: '{"name":"pith"}' },
  { path: 'dist/cli/main.js', mode: 0o755, content: '#!/usr/bin/env node\nconsole.log("é")\n' },
  { path: 'empty', mode: 0o644, content: '' },
]

function packed() {
  const list = FILES.map(({ path, mode, content }) => ({ path, mode, size: Buffer.byteLength(content) }))
  return zstdCompressSync(`${JSON.stringify(list)}\n${FILES.map(({ content }) => content).join('')}`)
}

function places() {
  const root = mkdtempSync(join(tmpdir(), 'pith-unpack-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return { root, folder: join(root, 'program', '1.0.0-abc') }
}

it('writes every file with its permissions, and nothing else', () => {
  const { root, folder } = places()
  unpack(packed(), folder)
  for (const { path, mode, content } of FILES) {
    expect(readFileSync(join(folder, path), 'utf8')).toBe(content)
    if (process.platform !== 'win32') expect(statSync(join(folder, path)).mode & 0o777).toBe(mode)
  }
  expect(readdirSync(join(root, 'program'))).toEqual(['1.0.0-abc'])
})

it('keeps what a faster process wrote', () => {
  const { root, folder } = places()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), 'theirs')
  unpack(packed(), folder)
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('theirs')
  expect(readdirSync(join(root, 'program'))).toEqual(['1.0.0-abc'])
})

it('leaves no folder when the packed bytes are damaged', () => {
  const { root, folder } = places()
  const bytes = packed()
  expect(() => unpack(bytes.subarray(0, bytes.length - 8), folder)).toThrow()
  expect(readdirSync(root)).toEqual([])
})
