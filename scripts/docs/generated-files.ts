import { apiPage } from './api-page.ts'
import { configurationPage } from './configuration-page.ts'
import { formatsPage } from './formats-page.ts'
import { httpPage } from './http-page.ts'
import { terminalPage } from './terminal-page.ts'

/** What is generated under docs, by file. */
export const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  'api.md': apiPage,
  'configuration.md': configurationPage,
  'formats.md': formatsPage,
  'http.md': httpPage,
  'terminal.md': terminalPage,
}
