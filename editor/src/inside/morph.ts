/**
 * Puts newer HTML of the service into a page that scripts and readers have changed since: only what the service draws
 * differently than before is changed, so that menus stay open, films go on, and nothing is scrolled or loses the focus.
 */
export class Morph {
  /** The drawn node of each node of the page. */
  readonly #drawn = new WeakMap<Node, Node>()

  /** Takes a part of the page as the service drew it; before anything else changes it. */
  remember(live: Node, drawn: Node = live.cloneNode(true)): void {
    this.#drawn.set(live, drawn)
    for (const [at, child] of [...live.childNodes].entries()) {
      const other = drawn.childNodes[at]
      if (other) this.remember(child, other)
    }
  }

  /** Makes an element what the service draws now; another element takes its place where it is of another kind. */
  element(live: Element, next: Element): void {
    if (isSameKind(live, next)) this.#node(live, next)
    else live.replaceWith(this.#made(next))
  }

  /** Makes the children of an element those that the service draws now. */
  children(live: Node, next: Node): void {
    // Nodes that a script of the page has added stay where they are.
    const old = new Set([...live.childNodes].filter((one) => this.#drawn.has(one)))
    const matches = this.#matches(old, [...next.childNodes])
    for (const one of old) one.remove()
    let place = this.#firstDrawn(live.firstChild)
    for (const child of next.childNodes) {
      const match = matches.get(child)
      const node = match ?? this.#made(child)
      if (node === place) place = this.#firstDrawn(place.nextSibling)
      else live.insertBefore(node, place)
      if (match) this.#node(match, child)
    }
  }

  /** Pairs nodes: first all that stay as they are, then the rest by kind. Takes the paired ones out of `old`. */
  #matches(old: Set<ChildNode>, next: readonly Node[]): ReadonlyMap<Node, Node> {
    const found = new Map<Node, Node>()
    const find = (isMatch: (one: Node, child: Node) => boolean) => {
      for (const child of next) {
        const match = found.has(child) ? undefined : [...old].find((one) => isMatch(one, child))
        if (match === undefined) continue
        found.set(child, match)
        old.delete(match)
      }
    }
    find((one, child) => this.#drawn.get(one)?.isEqualNode(child) === true)
    find(isSameKind)
    return found
  }

  #firstDrawn(node: ChildNode | null): ChildNode | null {
    return node === null || this.#drawn.has(node) ? node : this.#firstDrawn(node.nextSibling)
  }

  #node(live: Node, next: Node): void {
    const drawn = this.#drawn.get(live)
    if (drawn?.isEqualNode(next)) return
    if (live instanceof Element && next instanceof Element) {
      changeAttributes(live, next, drawn instanceof Element ? drawn : live)
      this.children(live, next)
    } else live.nodeValue = next.nodeValue
    this.#drawn.set(live, next)
  }

  #made(drawn: Node): Node {
    const live = document.importNode(drawn, true)
    this.remember(live, drawn)
    return live
  }
}

/** True where one can become the other: nodes with an id, and widgets, only where they are the same ones. */
function isSameKind(one: Node, other: Node): boolean {
  return one.nodeName === other.nodeName && nameOf(one) === nameOf(other)
}

/** Ids that the service makes for one drawing alone are no names. */
function nameOf(node: Node): string | null {
  if (!(node instanceof Element)) return null
  return node.getAttribute('data-apos-widget') ?? (node.hasAttribute('data-apos-widget-style-classes') ? '' : node.id)
}

function changeAttributes(live: Element, next: Element, drawn: Element): void {
  for (const { name } of [...drawn.attributes, ...next.attributes]) {
    const value = next.getAttribute(name)
    if (value === drawn.getAttribute(name)) continue
    if (value === null) live.removeAttribute(name)
    else live.setAttribute(name, value)
  }
}
