import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { projectOf, repositoryKey } from '../../../src/cli/memory/project-of.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-project-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

function put(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

/** A repository, with the address of its remote. */
function repository(name: string, origin?: string): string {
  put(`${name}/.git/HEAD`, 'ref: refs/heads/main\n')
  const remote = origin === undefined ? '' : `[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/heads/*\n`
  put(`${name}/.git/config`, `[core]\n\tbare = false\n${remote}[branch "main"]\n\tremote = origin\n`)
  return join(root, name)
}

describe('one project is', () => {
  it('a repository from any of its folders, also one that is gone', () => {
    const folder = repository('lake')
    mkdirSync(join(folder, 'src/deep'), { recursive: true })
    const { key } = projectOf(folder)
    expect(projectOf(join(folder, 'src/deep'))).toEqual({ name: 'lake', root: folder, key, isRepository: true })
    expect(projectOf(join(folder, 'gone/folder')).key).toBe(key)
  })

  it('a repository and its worktrees', () => {
    const folder = repository('lake')
    put('lake/.git/worktrees/two/commondir', '../..\n')
    put('two/.git', `gitdir: ${folder}/.git/worktrees/two\n`)
    expect(projectOf(join(root, 'two'))).toEqual({ ...projectOf(folder), root: join(root, 'two') })
  })

  it('a repository and its clones on this machine, also one of a bare repository', () => {
    const folder = repository('lake')
    expect(projectOf(repository('copy', folder)).key).toBe(projectOf(folder).key)
    mkdirSync(join(root, 'bare.git/objects'), { recursive: true })
    const [one, two] = ['one', 'two'].map((name) => projectOf(repository(name, join(root, 'bare.git'))))
    expect(one?.key).toBe(two?.key)
  })

  it('a clone of a clone that has an address elsewhere', () => {
    const near = repository('near', 'git@github.com:lake/heron.git')
    expect(projectOf(repository('copy', near)).key).toBe(projectOf(near).key)
  })

  it.each([
    ['git@github.com:lake/heron.git'],
    ['https://github.com/lake/heron'],
    ['https://github.com/lake/heron.git/'],
    ['ssh://git@github.com:22/lake/heron.git'],
    ['https://user:word@github.com/Lake/Heron.git'],
  ])('all clones of one address: %s', (origin) => {
    const project = projectOf(repository('any', origin))
    expect(project.key).toBe(repositoryKey('https://github.com/lake/heron'))
    expect(project.name.toLowerCase()).toBe('heron')
  })

  it('a folder under all its names', () => {
    const folder = repository('lake')
    symlinkSync(folder, join(root, 'link'))
    expect(projectOf(join(root, 'link'))).toEqual(projectOf(folder))
  })
})

describe('two projects are', () => {
  it('two repositories of one name', () => {
    expect(projectOf(repository('a/lake')).key).not.toBe(projectOf(repository('b/lake')).key)
  })

  it('two folders without git, and one in the other', () => {
    mkdirSync(join(root, 'plain/inner'), { recursive: true })
    const [outer, inner] = [projectOf(join(root, 'plain')), projectOf(join(root, 'plain/inner'))]
    expect(outer).toMatchObject({ name: 'plain', isRepository: false })
    expect(inner.key).not.toBe(outer.key)
  })

  it('repositories of two owners', () => {
    const [a, b] = ['a', 'b'].map((owner) => repositoryKey(`https://github.com/${owner}/lake`))
    expect(a).not.toBe(b)
  })

  it('a repository and a sub-module in it', () => {
    const folder = repository('lake')
    put('lake/.git/modules/inner/HEAD', 'ref: refs/heads/main\n')
    put('lake/inner/.git', 'gitdir: ../.git/modules/inner\n')
    expect(projectOf(join(folder, 'inner')).key).not.toBe(projectOf(folder).key)
  })
})
