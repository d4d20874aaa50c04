import { configurationPage } from './configuration-page.ts'

/** What is generated under docs, by file. */
export const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  'configuration.md': configurationPage,
}
