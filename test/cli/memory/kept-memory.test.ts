import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { changeKept, keptMemory } from '../../../src/cli/memory/kept-memory.ts'

const PROJECT = { name: 'lake', root: '/lake', key: 'abc', isRepository: true }
const NOTHING = { name: 'lake', changes: { pinned: [], forgotten: [] } }

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pith-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('what was changed is there afterwards, for this project alone', () => {
  const data = dataFolder()
  expect(keptMemory(data, PROJECT)).toEqual(NOTHING)
  changeKept(data, PROJECT, (kept) => ({ ...kept, isOn: false }))
  expect(keptMemory(data, PROJECT)).toEqual({ ...NOTHING, isOn: false })
  expect(keptMemory(data, { ...PROJECT, key: 'def' })).toEqual(NOTHING)
})

it('only the user can read it, and nothing else is left in the folder', () => {
  const data = dataFolder()
  changeKept(data, PROJECT, (kept) => kept)
  expect(readdirSync(join(data, 'memory'))).toEqual(['abc.json'])
  expect(statSync(join(data, 'memory/abc.json')).mode & 0o077).toBe(0)
})

it('an unreadable file counts as none', () => {
  const data = dataFolder()
  changeKept(data, PROJECT, (kept) => kept)
  for (const text of ['', '{"changes":', '{"changes":{"pinned":"all"}}', '[]']) {
    writeFileSync(join(data, 'memory/abc.json'), text)
    expect(keptMemory(data, PROJECT)).toEqual(NOTHING)
  }
})

it('a change that fails leaves what was there', () => {
  const data = dataFolder()
  changeKept(data, PROJECT, (kept) => ({ ...kept, isOn: true }))
  const broken = () => {
    throw new Error('no')
  }
  expect(() => changeKept(data, PROJECT, broken)).toThrow('no')
  expect(keptMemory(data, PROJECT).isOn).toBe(true)
})
