// next-intl's plugin names it when it is loaded, and calls it only for its setting `extract`.
exports.transform = undefined
