import { defineSite, page, piece } from 'quire-cms'
import { expect, test } from 'vitest'
import { testDatabases } from './databases.ts'
import { describeService, type Service } from './service.ts'

const site = defineSite({
  name: 'Interface',
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [piece('note', { fields: { add: { text: { type: 'string', label: 'Text' } } } }), page('plain')],
})

// Clients, generators and agents are made from this description: whoever changes it sees here what becomes of them, and
// writes it with `npx vitest run -u cms/test/interface.test.ts`.
describeService('§0.13 the interface as it is described', { site, on: testDatabases.slice(0, 1) }, (service) => {
  for (const role of ['anonymous', 'admin'] as const) {
    test(`§0.13 ${role}: each route, what it takes and what it answers`, async () => {
      await expect(await described(service, role)).toMatchFileSnapshot(`./interface/${role}.txt`)
    })
  }
})

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

interface Parameter {
  readonly name: string
  readonly in: string
}

/** The routes and what their parameters are. Those of built-in types of pieces are left out where `note` has them, too. */
async function described(service: Service, role: 'anonymous' | 'admin'): Promise<string> {
  const { paths }: Description = (await service[role].get('openapi.json')).body
  const noted = (path: string) => path.replace(/@cms\/[\w-]+/, 'note')
  const isLikeNote = (path: string, method: string) =>
    !path.includes('@cms/page') && path !== noted(path) && paths[noted(path)]?.[method] !== undefined
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isLikeNote(path, method) ? [] : [{ title: `${method.toUpperCase()} ${path}`, operation }],
    ),
  )
  const routes = operations.map(({ title, operation }) => `${title}\n${operationText(operation)}`)
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []).map((one) => JSON.stringify(one))
  return `${[...routes, [...new Set(parameters)].join('\n')].join('\n\n')}\n`
}

function operationText({ summary, description, parameters = [], requestBody, responses }: Operation): string {
  const isRef = (response: object) => Object.hasOwn(response, '$ref')
  const answers = Object.entries(responses)
  return [
    `  ${summary}`,
    ...(description === `${summary}.` ? [] : [`  ${description}`]),
    ...parameters.map(({ name, in: place }) => `  ${place} ${name}`),
    ...(requestBody === undefined ? [] : [`  body ${JSON.stringify(requestBody)}`]),
    ...answers.flatMap(([status, answer]) => (isRef(answer) ? [] : [`  ${status} ${JSON.stringify(answer)}`])),
    `  ${answers.flatMap(([status, answer]) => (isRef(answer) ? status : [])).join(', ')}`,
  ].join('\n')
}
