// <vitrine-checkout listing="…"> and <vitrine-claim href="…">, for pages of other sites. See /docs/embed.
;(() => {
  // The page of a listing is where this file is from, and its messages count only from there.
  const { origin } = new URL(document.currentScript.src)

  class Checkout extends HTMLElement {
    static observedAttributes = ['listing', 'lang']
    #frame = null
    #listen = (event) => this.#onMessage(event)

    connectedCallback() {
      addEventListener('message', this.#listen)
      this.#show()
    }

    disconnectedCallback() {
      removeEventListener('message', this.#listen)
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#show()
    }

    #show() {
      const listing = this.getAttribute('listing')
      if (!listing) return this.replaceChildren()
      this.#frame = document.createElement('iframe')
      const query = new URLSearchParams({ embed: '1', ...(this.lang && { lang: this.lang }) })
      this.#frame.src = `${origin}/l/${encodeURIComponent(listing)}?${query}`
      this.#frame.title = this.getAttribute('title') || 'Checkout'
      this.#frame.allow = 'payment; publickey-credentials-get'
      this.#frame.style.cssText = 'display: block; width: 100%; height: 40rem; border: 0'
      this.style.display = 'block'
      this.replaceChildren(this.#frame)
    }

    #onMessage({ origin: from, source, data }) {
      if (from !== origin || source !== this.#frame?.contentWindow || typeof data?.type !== 'string') return
      if (data.type === 'vitrine:height' && data.height > 0) this.#frame.style.height = `${Number(data.height)}px`
      if (data.type === 'vitrine:completed')
        this.dispatchEvent(new CustomEvent('completed', { detail: { listing_id: data.listing_id }, bubbles: true }))
    }
  }

  /** Opens a claim in a window of its own: a page with somebody’s gift is never shown in a frame. */
  class Claim extends HTMLElement {
    static observedAttributes = ['href']

    connectedCallback() {
      this.#show()
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#show()
    }

    #show() {
      const label = this.textContent.trim() || 'Open your gift'
      const link = document.createElement('a')
      link.href = this.getAttribute('href') ?? ''
      if (link.origin !== origin || !link.pathname.startsWith('/claim/')) link.removeAttribute('href')
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
      link.referrerPolicy = 'no-referrer'
      link.textContent = label
      link.part = 'link'
      this.replaceChildren(link)
    }
  }

  customElements.define('vitrine-checkout', Checkout)
  customElements.define('vitrine-claim', Claim)
})()
