/**
 * What begins the viewer, in the browser. A key that somebody enters is sent with the description, too, which then
 * shows what the key may do; requests go to where the page came from, whatever address the site has elsewhere.
 */
export const DOCS_SCRIPT = `'use strict'
const element = document.getElementById('docs')
const url = element.dataset.openapi
let viewer

/** The credential that was entered, as a header; null where there is none. */
function authorization() {
  for (const [name, { value }] of Object.entries(viewer.authSelectors.authorized().toJS())) {
    if (value) return (name === 'bearer' ? 'Bearer ' : 'ApiKey ') + String(value).replace(/^(ApiKey|Bearer) /i, '')
  }
  return null
}

/** Whoever signs in may know of more. */
function describedAnew(system) {
  viewer = system
  const then = (original) => (payload) => {
    const result = original(payload)
    system.specActions.download(url)
    return result
  }
  return { statePlugins: { auth: { wrapActions: { authorize: then, logout: then } } } }
}

SwaggerUIBundle({
  url,
  domNode: element,
  plugins: [describedAnew],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href)
    request.url = location.origin + pathname + search
    const header = authorization()
    if (header !== null) request.headers.Authorization = header
    return request
  },
  responseInterceptor: (response) => {
    const isDescription = new URL(response.url, location.href).pathname === url
    // Called 3.1 it takes the viewer ten times as long to show the same.
    if (isDescription) response.text = response.text.replace('"openapi":"3.1.0"', '"openapi":"3.0.4"')
    return response
  },
})
`
