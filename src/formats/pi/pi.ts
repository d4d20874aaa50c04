import type { Format } from '../shared/format.ts'
import { detectPi } from './detect.ts'
import { PI_PLACES } from './places.ts'
import { countPi } from './prompts.ts'
import { readPi } from './read.ts'
import { writePi } from './write.ts'

export const pi = {
  name: 'pi',
  label: 'pi',
  detect: detectPi,
  read: readPi,
  prompts: countPi,
  write: writePi,
  resume: { folder: '~/.pi/agent', command: ({ path }) => ['pi', '--session', path] },
  places: PI_PLACES,
} as const satisfies Format
