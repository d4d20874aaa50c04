import type { ModelInfo } from '../../model/types.ts'
import { EXAMPLE_WINDOW } from './example-session.ts'

/** The model of the example session. It does not exist; it has a small window and common prices. */
export const EXAMPLE_MODEL: ModelInfo = {
  provider: 'example',
  model: 'offline',
  contextWindow: EXAMPLE_WINDOW,
  prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
}
