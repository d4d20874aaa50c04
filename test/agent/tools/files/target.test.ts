import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../../../src/agent/tool.ts'
import { allowedPlace, editRequest, fileRequest } from '../../../../src/agent/tools/files/target.ts'
import { TestWorkspace } from '../support.ts'

describe('the request for a path', () => {
  it('says whether it lies outside, also if the path cannot be followed', async () => {
    const { context, folder, outside } = new TestWorkspace()
    symlinkSync('loop', join(folder, 'loop'))
    expect(await fileRequest('read', './a', context)).toEqual({ kind: 'read', path: 'a', outside: false })
    expect(await fileRequest('edit', outside, context)).toEqual({ kind: 'edit', path: outside, outside: true })
    expect(await fileRequest('read', 'loop', context)).toEqual({ kind: 'read', path: 'loop', outside: true })
  })

  it('is to edit with the diff, and only to read if the edit will be refused', async () => {
    const { context } = new TestWorkspace()
    const requested = (diffOf: () => Promise<string | undefined>) => editRequest('a', context, diffOf)
    const where = { path: 'a', outside: false }
    expect(await requested(async () => '+x')).toEqual({ kind: 'edit', ...where, diff: '+x' })
    expect(await requested(async () => undefined)).toEqual({ kind: 'read', ...where })
    expect(await requested(() => Promise.reject(new Error('no')))).toEqual({ kind: 'read', ...where })
  })
})

describe('the place that a call may use', () => {
  const placed = async (
    kind: 'read' | 'edit',
    path: string,
    allowed?: PermissionRequest,
    space = new TestWorkspace(),
  ) =>
    allowedPlace(kind, path, { ...space.context, ...(allowed && { allowed }) }).then(
      ({ shown }) => shown,
      (error: Error) => error.message,
    )
  const NO_EDIT = 'a was not allowed to be edited: nothing was done'

  it('is any path inside to read', async () => {
    expect(await placed('read', 'a')).toBe('a')
  })

  it('is a path to edit only with the leave to edit that very path', async () => {
    expect(await placed('edit', 'a')).toBe(NO_EDIT)
    expect(await placed('edit', 'a', { kind: 'edit', path: 'a', outside: false })).toBe('a')
    expect(await placed('edit', 'a', { kind: 'edit', path: 'b', outside: false })).toBe(NO_EDIT)
    expect(await placed('edit', 'a', { kind: 'read', path: 'a', outside: false })).toBe(NO_EDIT)
    expect(await placed('edit', 'a', { kind: 'command', command: 'a' })).toBe(NO_EDIT)
    expect(await placed('edit', 'a', { kind: 'tool', tool: 'a', input: '' })).toBe(NO_EDIT)
  })

  it('is a path outside only with leave', async () => {
    const space = new TestWorkspace()
    const { outside } = space
    expect(await placed('read', outside, undefined, space)).toBe(
      `${outside} is outside of the workspace and was not allowed: nothing was done`,
    )
    expect(await placed('read', outside, { kind: 'read', path: outside, outside: true }, space)).toBe(outside)
    expect(await placed('read', outside, { kind: 'edit', path: outside, outside: true }, space)).toBe(outside)
  })
})
