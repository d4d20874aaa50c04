import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changeKept } from '../../../src/cli/memory/kept-memory.ts'
import { projectOf } from '../../../src/cli/memory/project-of.ts'
import { startingPage, updateInBackground } from '../../../src/cli/memory/starting-page.ts'
import { loadConfig } from '../../../src/config/index.ts'
import { keepPage, projectPage } from '../../../src/store/memory-pages.ts'

function world(settings = '') {
  const folder = mkdtempSync(join(tmpdir(), 'pith-starting-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [cwd, home, data] = ['work', 'home', 'data'].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(join(cwd, '.git'), { recursive: true })
  mkdirSync(home)
  writeFileSync(join(home, 'config.yaml'), settings)
  const env = { HOME: home, PITH_HOME: home }
  return { place: { config: loadConfig({ cwd, env, home }), folders: { data } }, project: projectOf(cwd), data }
}

test('a session begins with the last finished page, and a page that was just made is not made again', () => {
  const { place, project, data } = world()
  keepPage(projectPage(data, project.key), '# Memory of the project x\n')
  expect(startingPage(place)).toBe('# Memory of the project x')
  expect(updateInBackground(place)).toBe(false)
})

test('a memory that is off is neither given nor made', () => {
  const { place, project, data } = world('memory: false\n')
  expect(updateInBackground(place)).toBe(false)
  keepPage(projectPage(data, project.key), '# Memory of the project x\n')
  expect(startingPage(place)).toBeUndefined()
  changeKept(data, project, (kept) => ({ ...kept, isOn: true }))
  expect(startingPage(place)).toBe('# Memory of the project x')
})
