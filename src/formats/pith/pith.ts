import type { Format } from '../shared/format.ts'
import { detectPith } from './detect.ts'
import { readPith } from './read.ts'
import { writePith } from './write.ts'

export const pith = {
  name: 'pith',
  label: 'Pith',
  detect: detectPith,
  read: readPith,
  write: writePith,
  advice: (file) => `pith import ${file}`,
} as const satisfies Format
