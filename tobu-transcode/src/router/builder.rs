//! Builds routers from the rules of services.

use tobu::{MethodDescriptor, ServiceDescriptor};

use super::Router;
use crate::error::{BadRule, Error, Result};
use crate::options::TranscodeOptions;
use crate::route::bad_rule;
use crate::rule::{HttpRule, ServiceConfig};

/// Collects services and configurations for a [`Router`].
#[derive(Clone, Debug, Default)]
pub struct RouterBuilder {
    services: Vec<ServiceDescriptor>,
    configs: Vec<ServiceConfig>,
    options: TranscodeOptions,
    skip_bad_rules: bool,
}

impl RouterBuilder {
    /// Sets the options.
    #[must_use]
    pub fn options(mut self, options: TranscodeOptions) -> Self {
        self.options = options;
        self
    }

    /// Adds the rules of a service.
    #[must_use]
    pub fn service(mut self, service: &ServiceDescriptor) -> Self {
        self.services.push(service.clone());
        self
    }

    /// Adds a configuration. A rule of the configuration replaces the annotation of its method, and the rules of earlier
    /// configurations for this method.
    #[must_use]
    pub fn config(mut self, config: ServiceConfig) -> Self {
        self.configs.push(config);
        self
    }

    /// Serves the valid rules if some rules are not valid, and lists the invalid rules in [`Router::skipped`]. This option is
    /// off by default. If only some bindings of a rule are not valid, the router serves the rule's other bindings. If two rules
    /// have the same HTTP method, and templates that differ only in their variables, the router serves the first rule.
    ///
    /// ```
    /// # let pool = tobu_transcode_schemas::pool();
    /// use tobu_transcode::{HttpRule, Router, ServiceConfig};
    ///
    /// let rule = HttpRule { selector: "library.v1.Library.GetBook".into(), ..HttpRule::new("GET", "/v1/{nope}") };
    /// let config = ServiceConfig { rules: vec![rule], ..ServiceConfig::default() };
    /// let service = pool.service("library.v1.Library").unwrap();
    /// let builder = Router::builder().service(&service).config(config);
    /// assert!(builder.clone().build().is_err());
    /// let router = builder.skip_bad_rules(true).build()?;
    /// assert_eq!(router.routes().len(), 13);
    /// assert_eq!(router.skipped()[0].method(), "library.v1.Library.GetBook");
    /// # Ok::<(), tobu_transcode::Error>(())
    /// ```
    #[must_use]
    pub fn skip_bad_rules(mut self, yes: bool) -> Self {
        self.skip_bad_rules = yes;
        self
    }

    /// Compiles the rules.
    ///
    /// # Errors
    /// A rule is malformed, does not fit its gRPC method, or matches the same requests as an earlier rule, or the selector
    /// of a rule in a configuration names a method that the service does not have. [`Error::rules`] returns all such rules.
    pub fn build(self) -> Result<Router> {
        let mut router = Router::new(self.options.clone());
        let rules = self.configs.iter().flat_map(|config| &config.rules);
        let mut bad: Vec<BadRule> = rules.filter_map(|rule| self.check_selector(rule)).collect();
        for method in self.services.iter().flat_map(ServiceDescriptor::methods) {
            let found = match self.configured(&method) {
                Some((rule, config)) => Ok(Some((rule.clone(), config.fully_decode_reserved_expansion))),
                None => HttpRule::of(&method).map(|rule| {
                    let by_name = || self.options.auto_mapping.then(|| HttpRule::by_name(&method));
                    rule.or_else(by_name).map(|rule| (rule, self.fully_decode()))
                }),
            };
            match found {
                Ok(Some((rule, fully_decode))) => {
                    let fully_decode = fully_decode || self.options.fully_decode;
                    let (routes, wrong) = router.compile(&method, &rule, fully_decode);
                    router.insert(routes);
                    bad.extend(wrong);
                }
                Ok(None) => {}
                Err(error) => bad.push(bad_rule(&method, &HttpRule::default(), error.to_string())),
            }
        }
        if !bad.is_empty() && !self.skip_bad_rules {
            return Err(Error::bad_rules(bad));
        }
        router.skipped = bad;
        Ok(router)
    }

    /// Returns the rule for a method in the last configuration that has such a rule.
    fn configured(&self, method: &MethodDescriptor) -> Option<(&HttpRule, &ServiceConfig)> {
        let configs = self.configs.iter().rev();
        configs.filter_map(|config| Some((config.rule(method.full_name())?, config))).next()
    }

    fn fully_decode(&self) -> bool {
        self.configs.iter().any(|config| config.fully_decode_reserved_expansion)
    }

    /// Returns an error if the selector of a rule names no method of its service. Ignores rules for services that were not
    /// added, because a configuration may have rules for services that are not served here.
    fn check_selector(&self, rule: &HttpRule) -> Option<BadRule> {
        let selector = &rule.selector;
        let text = match selector.rsplit_once('.') {
            None => format!("service configuration: {selector:?} names no method"),
            Some((service, method)) => {
                let known = self.services.iter().find(|known| known.full_name() == service)?;
                if known.method(method).is_some() {
                    return None;
                }
                format!("service configuration: the service {service} has no method {method:?}")
            }
        };
        Some(BadRule::new("", selector, rule.method_and_template(), text))
    }
}
