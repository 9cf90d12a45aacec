//! Routers from the rules of services.

use tobu::{MethodDescriptor, ServiceDescriptor};

use super::Router;
use crate::error::{Error, Result};
use crate::options::TranscodeOptions;
use crate::rule::{HttpRule, ServiceConfig};

/// Collects services and configurations for a [`Router`].
#[derive(Clone, Debug, Default)]
pub struct RouterBuilder {
    services: Vec<ServiceDescriptor>,
    configs: Vec<ServiceConfig>,
    options: TranscodeOptions,
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

    /// Adds a configuration, whose rules replace annotations and those of configurations added before.
    #[must_use]
    pub fn config(mut self, config: ServiceConfig) -> Self {
        self.configs.push(config);
        self
    }

    /// Compiles the rules.
    ///
    /// # Errors
    /// A rule is malformed, does not fit its method, or has the method and shape of another. Or a selector of a
    /// configuration names a method that its service does not have.
    pub fn build(self) -> Result<Router> {
        for rule in self.configs.iter().flat_map(|config| &config.rules) {
            self.check_selector(rule)?;
        }
        let mut router = Router::new(self.options.clone());
        for service in &self.services {
            for method in service.methods() {
                let (rule, fully_decode) = match self.configured(&method) {
                    Some((rule, config)) => (rule.clone(), config.fully_decode_reserved_expansion),
                    None => match HttpRule::of(&method)? {
                        Some(rule) => (rule, self.fully_decode()),
                        None => continue,
                    },
                };
                router.add(&method, &rule, fully_decode || self.options.fully_decode)?;
            }
        }
        Ok(router)
    }

    /// The rule of the last configuration that has one for the method.
    fn configured(&self, method: &MethodDescriptor) -> Option<(&HttpRule, &ServiceConfig)> {
        let configs = self.configs.iter().rev();
        configs.filter_map(|config| Some((config.rule(method.full_name())?, config))).next()
    }

    fn fully_decode(&self) -> bool {
        self.configs.iter().any(|config| config.fully_decode_reserved_expansion)
    }

    /// Rules for services that were not added are left alone: a configuration may speak of more than is served here.
    fn check_selector(&self, rule: &HttpRule) -> Result<()> {
        let selector = &rule.selector;
        let Some((service, method)) = selector.rsplit_once('.') else {
            return Err(Error::rule(format!("service configuration: {selector:?} names no method")));
        };
        let mut services = self.services.iter().filter(|known| known.full_name() == service);
        match services.next() {
            Some(known) if known.method(method).is_none() => Err(Error::rule(format!(
                "service configuration: the service {service} has no method {method:?}"
            ))),
            _ => Ok(()),
        }
    }
}
