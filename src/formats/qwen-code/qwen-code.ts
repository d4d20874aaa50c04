import type { Format } from '../shared/format.ts'
import { detectQwenCode } from './detect.ts'
import { QWEN_CODE_PLACES } from './places.ts'
import { countQwenCode } from './prompts.ts'
import { readQwenCode } from './read.ts'

export const qwenCode = {
  name: 'qwen-code',
  label: 'qwen-code',
  detect: detectQwenCode,
  read: readQwenCode,
  prompts: countQwenCode,
  places: QWEN_CODE_PLACES,
} as const satisfies Format
