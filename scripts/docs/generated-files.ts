import { apiPage } from './api-page.ts'
import { clientFile } from './client-file.ts'
import { configurationPage } from './configuration-page.ts'
import { deployPage } from './deploy-page.ts'
import { comparisonPage, evalPage } from './eval-page.ts'
import { formatsPage } from './formats-page.ts'
import { gatewayPage } from './gateway-page.ts'
import { httpPage } from './http-page.ts'
import { inspectorPage } from './inspector-page.ts'
import { libraryPage } from './library-page.ts'
import { measuredPage } from './measured-page.ts'
import { policiesPage } from './policies-page.ts'
import { terminalPage } from './terminal-page.ts'

/** The generated texts, by their files relative to docs. */
export const GENERATED_FILES: Readonly<Record<string, () => string>> = {
  // The page of the API describes it, so it comes first.
  '../src/client/operations.ts': clientFile,
  'api.md': apiPage,
  'comparison.md': comparisonPage,
  'configuration.md': configurationPage,
  'deploy.md': deployPage,
  'eval.md': evalPage,
  'formats.md': formatsPage,
  'gateway.md': gatewayPage,
  'http.md': httpPage,
  'inspector.md': inspectorPage,
  'library.md': libraryPage,
  'measured.md': measuredPage,
  'policies.md': policiesPage,
  'terminal.md': terminalPage,
}
