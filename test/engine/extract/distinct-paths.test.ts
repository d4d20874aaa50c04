import { describe, expect, it } from 'vitest'
import { distinctPaths } from '../../../src/engine/extract/current-files.ts'
import type { FileFact } from '../../../src/model/types.ts'

const file = (path: string, access: FileFact['access'], seq: number): FileFact => ({ path, access, seq })

describe('a file that was named in two ways', () => {
  it('is listed once, by its whole path; modified wins', () => {
    const files = [
      file('/repo/app/src/a.ts', 'read', 1),
      file('/repo/app/src/b.ts', 'read', 2),
      file('src/a.ts', 'modified', 5),
      file('src/c.ts', 'read', 6),
    ]
    expect(distinctPaths(files).files).toEqual([
      file('/repo/app/src/a.ts', 'modified', 5),
      file('/repo/app/src/b.ts', 'read', 2),
      file('src/c.ts', 'read', 6),
    ])
  })

  it('is distinguished from another file of the same name', () => {
    const files = [file('/repo/app/src/a.ts', 'read', 1), file('lib/a.ts', 'read', 2)]
    expect(distinctPaths(files).files).toEqual(files)
  })
})
